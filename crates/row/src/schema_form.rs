//! The lines that a schema makes of a row's object.

use crate::json::{Object, escape_controls, push_string};
use crate::json_members::JsonMembers;
use crate::row::Row;

/// The frame around the object of a row, which the loader of an engine expects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SchemaForm {
    /// The object alone.
    Row,
    /// An action line before the object, as in Elasticsearch's bulk API.
    BulkAction,
    /// The object as `fields` of a put operation, as in Vespa's JSON format for documents.
    VespaPut,
    /// The object as `payload` of a point, as in Qdrant's API. The user adds the vectors.
    QdrantPoint,
}

/// Names of the members in each frame around a row's object. The first is that of the object.
const FRAMES: [&[&str]; 2] =
    [&["fields", "put", "id", "create", "condition"], &["payload", "id", "vector", "vectors"]];

/// Returns the index of the member that holds the row's object, if these are the members of a frame
/// that a loader expects. The identifier of the frame is `id` or `put`.
///
/// ```
/// use huller_row::{JsonMembers, framed_member};
///
/// let point: JsonMembers<'_> = serde_json::from_str(r#"{"id":"7","payload":{"text":"a"}}"#)?;
/// let row: JsonMembers<'_> = serde_json::from_str(r#"{"id":"7","payload":{},"text":"a"}"#)?;
/// assert_eq!((framed_member(&point), framed_member(&row)), (Some(1), None));
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn framed_member(members: &JsonMembers<'_>) -> Option<usize> {
    if members.0.len() > FRAMES[0].len() {
        return None;
    }
    FRAMES.iter().find_map(|names| {
        let (at, value) = members.member(names[0])?;
        let is_frame = value.get().starts_with('{')
            && members.0.iter().all(|(name, _)| names.contains(&&**name));
        is_frame.then_some(at)
    })
}

/// Most bytes of an identifier in an action line. The server refuses a longer one, so the action
/// line leaves it out and the server makes one.
const MAX_ES_ID_BYTES: usize = 512;

/// Type of Vespa documents whose index has no name.
const VESPA_TYPE: &str = "page";

impl SchemaForm {
    /// Returns whether lines name the index.
    pub(crate) fn names_index(self) -> bool {
        matches!(self, SchemaForm::BulkAction | SchemaForm::VespaPut)
    }

    /// Returns the identifier of a row's document in Vespa.
    pub(crate) fn vespa_id(row: &Row<'_>, index: &str) -> String {
        let name = if index.is_empty() { VESPA_TYPE } else { index };
        format!("id:{name}:{name}::{}", row.id)
    }

    /// Appends the lines of a row. `object` writes its object.
    pub(crate) fn push(
        self,
        row: &Row<'_>,
        index: &str,
        out: &mut Vec<u8>,
        object: impl FnOnce(&mut Vec<u8>),
    ) {
        match self {
            SchemaForm::Row => {}
            SchemaForm::BulkAction => push_action(row, index, out),
            SchemaForm::VespaPut => {
                push_frame(("put", &SchemaForm::vespa_id(row, index)), "fields", out);
            }
            SchemaForm::QdrantPoint => push_frame(("id", row.id), "payload", out),
        }
        object(out);
        if matches!(self, SchemaForm::VespaPut | SchemaForm::QdrantPoint) {
            out.push(b'}');
        }
        out.push(b'\n');
    }
}

/// Appends an object up to the value of its second member.
fn push_frame((name, text): (&str, &str), next: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(format!("{{\"{name}\":").as_bytes());
    let start = out.len();
    push_string(out, text);
    escape_controls(out, start);
    out.extend_from_slice(format!(",\"{next}\":").as_bytes());
}

fn push_action(row: &Row<'_>, index: &str, out: &mut Vec<u8>) {
    let mut line = Object::new(out);
    line.object("index", |action| {
        // A server refuses an empty name. Without a name it takes the index in its URL.
        if !index.is_empty() {
            action.untrusted("_index", index);
        }
        if (1..=MAX_ES_ID_BYTES).contains(&row.id.len()) {
            action.untrusted("_id", row.id);
        }
    });
    line.end();
    out.push(b'\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_form_frames_the_object_for_its_loader() {
        let row = Row { id: "a\"b", ..Row::default() };
        let lines = |form: SchemaForm, index: &str| {
            let mut out = Vec::new();
            form.push(&row, index, &mut out, |out| out.extend_from_slice(b"{\"n\":1}"));
            String::from_utf8(out).unwrap()
        };
        assert_eq!(lines(SchemaForm::Row, "x"), "{\"n\":1}\n");
        assert_eq!(
            lines(SchemaForm::BulkAction, "x"),
            "{\"index\":{\"_index\":\"x\",\"_id\":\"a\\\"b\"}}\n{\"n\":1}\n"
        );
        assert_eq!(
            lines(SchemaForm::VespaPut, ""),
            "{\"put\":\"id:page:page::a\\\"b\",\"fields\":{\"n\":1}}\n"
        );
        assert!(lines(SchemaForm::VespaPut, "docs").starts_with("{\"put\":\"id:docs:docs::a"));
        assert_eq!(
            lines(SchemaForm::QdrantPoint, "x"),
            "{\"id\":\"a\\\"b\",\"payload\":{\"n\":1}}\n"
        );
        for (form, object) in [
            (SchemaForm::Row, None),
            (SchemaForm::VespaPut, Some(1)),
            (SchemaForm::QdrantPoint, Some(1)),
        ] {
            let line = lines(form, "");
            let members: JsonMembers<'_> = serde_json::from_str(&line).unwrap();
            assert_eq!(framed_member(&members), object, "{line}");
        }
    }

    #[test]
    fn only_the_members_of_a_frame_are_a_frame() {
        for (line, object) in [
            (r#"{"vector":[1],"payload":{},"id":7}"#, Some(1)),
            (r#"{"fields":{},"create":true,"put":"id:a:a::1"}"#, Some(0)),
            (r#"{"put":"id:a:a::1","fields":"x"}"#, None),
            (r#"{"id":"1","payload":[{}]}"#, None),
            (r#"{"id":"1","payload":{},"body":"x"}"#, None),
            (r#"{"id":"1","metadata":{}}"#, None),
        ] {
            let members: JsonMembers<'_> = serde_json::from_str(line).unwrap();
            assert_eq!(framed_member(&members), object, "{line}");
        }
    }
}
