//! Configurations with a name. Each is a file that a user can print, change, and pass with
//! `--config`.

/// A configuration with a name.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// The name that `--preset` takes.
    pub name: &'static str,
    /// The file, with comments.
    pub text: &'static str,
}

macro_rules! presets {
    ($($name:literal)*) => {
        /// All presets.
        pub static PRESETS: &[Preset] = &[
            $(Preset { name: $name, text: include_str!(concat!("../../presets/", $name, ".toml")) }),*
        ];
    };
}

presets! { "fineweb" "fineweb2" "gopher" "c4" "dclm-heuristics" "dclm" "ccnet" "search" }

impl Preset {
    /// Returns the preset of this name.
    pub fn find(name: &str) -> Option<&'static Preset> {
        PRESETS.iter().find(|preset| preset.name == name)
    }
}
