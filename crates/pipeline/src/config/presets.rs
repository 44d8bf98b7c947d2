//! Configurations that are known by a name. Each is a file that a user can print, change, and give
//! as one of their own.

/// A configuration that is known by a name.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// Its name.
    pub name: &'static str,
    /// The file, with comments.
    pub text: &'static str,
}

macro_rules! presets {
    ($($name:literal)*) => {
        /// All of them.
        pub static PRESETS: &[Preset] = &[
            $(Preset { name: $name, text: include_str!(concat!("../../presets/", $name, ".toml")) }),*
        ];
    };
}

presets! { "fineweb" "fineweb2" "gopher" "c4" "dclm-heuristics" "search" }

impl Preset {
    /// The preset of this name.
    pub fn find(name: &str) -> Option<&'static Preset> {
        PRESETS.iter().find(|preset| preset.name == name)
    }
}
