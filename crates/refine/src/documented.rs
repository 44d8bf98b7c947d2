//! Settings whose documentation can be printed.

/// Defines the settings of a stage and implements [`Documented`] for them, so that `--print-config`
/// and the documentation use the same words.
macro_rules! documented {
    (
        $(#[$about:meta])* pub struct $Settings:ident {
            $($(#[doc = $doc:literal])+ pub $name:ident: $Type:ty,)*
        }
    ) => {
        $(#[$about])*
        pub struct $Settings {
            $($(#[doc = $doc])+ pub $name: $Type,)*
        }

        impl $crate::documented::Documented for $Settings {
            const DOCS: &'static [(&'static str, &'static str)] =
                &[$((stringify!($name), concat!($($doc,)+))),*];
        }
    };
}
pub(crate) use documented;

/// Documentation of the settings of a stage.
pub(crate) trait Documented {
    /// The name and documentation of each setting, in the order of the struct.
    const DOCS: &'static [(&'static str, &'static str)];
}
