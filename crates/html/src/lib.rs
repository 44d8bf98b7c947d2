//! HTML pages that the program writes: of `serve`, `report`, `explain`, `bench` and `eval`.
//!
//! # The types, and how they meet
//!
//! * A function returns [`maud::Markup`], which the macro [`maud::html!`] makes of a template. The
//!   template escapes every text that it takes, and puts every attribute in double quotes.
//! * [`isolated`], [`link`] and [`outside_link`] make markup of an untrusted value. Their bytes are
//!   bounded.
//! * [`count`], [`percent`], [`size`], [`duration`] and [`number`] format figures for readers.
//! * A [`Document`] makes a page of a title, [`Styles`] and the markup of its body, and of a script
//!   with its [`DataPart`]s if it has one.
//!
//! ```text
//!  values, figures ──► html! { … } ──► Markup ──► Document ──► page without control characters
//!                                                    ▲
//!                       title, Styles, DataPart ─────┘
//! ```
//!
//! # What no text can do
//!
//! * No text becomes markup: templates escape `&`, `<`, `>` and `"`. An apostrophe stays, since no
//!   attribute is in single quotes.
//! * No control character reaches a page. [`Document::to_html`] alone makes pages, and it passes
//!   head and body through [`visible_char`].
//! * No text of the data of a script ends its element.
//!
//! # Example
//!
//! ```
//! use huller_html::{Document, Styles, count, isolated};
//! use maud::html;
//!
//! let body = html! {
//!     main {
//!         h1 { (isolated("<b>Rain\u{1b}")) }
//!         p { (count(1234)) " rows" }
//!     }
//! };
//! let page = Document::new("Rain", Styles::Inline("p { color: red }"), body).to_html();
//! assert!(page.contains("<h1><bdi>&lt;b&gt;Rain␛</bdi></h1><p>1,234 rows</p>"));
//! ```

mod document;
mod figures;
mod untrusted_values;
mod visible;

pub use document::{DataPart, Document, Styles};
pub use figures::{count, duration, number, percent, size};
pub use untrusted_values::{isolated, link, outside_link, shortened};
pub use visible::visible_char;
