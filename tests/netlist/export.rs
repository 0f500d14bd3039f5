//! A netlist as KiCad exports it (`kicad-cli sch export netlist --format kicadxml`).

use std::collections::BTreeMap;

use roxmltree::Document;

/// A pin of a part.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Node {
    /// The part's name: `D28`.
    pub(crate) part: String,
    /// The pin's number.
    pub(crate) pin: String,
}

impl Node {
    pub(crate) fn new(part: &str, pin: impl ToString) -> Self {
        Self { part: part.to_owned(), pin: pin.to_string() }
    }
}

/// A part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// Which symbol it is drawn with: `Schottky`.
    pub(crate) kind: String,
    /// What is written beside it: `BAT85`.
    pub(crate) value: String,
}

/// Parts, and which of their pins are joined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Netlist {
    /// The parts by their names.
    pub(crate) parts: BTreeMap<String, Part>,
    /// What the nets are called in the schematic.
    pub(crate) names: Vec<String>,
    /// The net of each pin, by its place in `names`.
    pub(crate) net_of: BTreeMap<Node, usize>,
}

impl Netlist {
    /// Reads an export; the message says what is not there.
    pub(crate) fn parse(xml: &str) -> Result<Self, String> {
        let document = Document::parse(xml).map_err(|error| error.to_string())?;
        let mut netlist = Self { parts: BTreeMap::new(), names: Vec::new(), net_of: BTreeMap::new() };
        for part in document.descendants().filter(|node| node.has_tag_name("comp")) {
            let name = part.attribute("ref").ok_or("a part without a name")?;
            let child = |tag: &str| part.children().find(|node| node.has_tag_name(tag));
            let kind = child("libsource").and_then(|source| source.attribute("part"));
            let kind = kind.ok_or_else(|| format!("{name} has no symbol"))?.to_owned();
            let value = child("value").and_then(|value| value.text()).unwrap_or_default().to_owned();
            if netlist.parts.insert(name.to_owned(), Part { kind, value }).is_some() {
                return Err(format!("{name} is there twice"));
            }
        }
        for net in document.descendants().filter(|node| node.has_tag_name("net")) {
            let number = netlist.names.len();
            netlist.names.push(net.attribute("name").ok_or("a net without a name")?.to_owned());
            for pin in net.children().filter(|node| node.has_tag_name("node")) {
                let (Some(part), Some(pin)) = (pin.attribute("ref"), pin.attribute("pin")) else {
                    return Err("a pin without part or number".to_owned());
                };
                let node = Node::new(part, pin);
                if let Some(before) = netlist.net_of.insert(node, number) {
                    return Err(format!("{part} pin {pin} is on {} as well", netlist.names[before]));
                }
            }
        }
        if netlist.parts.is_empty() || netlist.net_of.is_empty() {
            return Err("there are no parts or no nets".to_owned());
        }
        Ok(netlist)
    }
}
