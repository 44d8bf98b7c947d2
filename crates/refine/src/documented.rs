//! Settings whose documentation can be printed.

/// Defines the settings of a stage, and [`Documented`] for them, so that `--print-config` says what
/// the documentation says.
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

/// What each setting means.
pub(crate) trait Documented {
    /// Names and their documentation, in the order of the struct.
    const DOCS: &'static [(&'static str, &'static str)];
}
