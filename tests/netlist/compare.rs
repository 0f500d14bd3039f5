//! What a netlist has elsewhere, lacks, or has too much.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::expected::Wanted;
use super::export::{Netlist, Node};

/// Everything that is not as it is wanted, in words; empty where nothing is wrong.
pub(crate) fn differences(netlist: &Netlist, wanted: &Wanted) -> Vec<String> {
    let mut said = parts(netlist, wanted);
    let homes = homes(netlist, wanted);
    let mut place_of_net: BTreeMap<usize, &str> = BTreeMap::new();
    for (place, &net) in &homes {
        if let Some(other) = place_of_net.insert(net, place) {
            said.push(format!("{other} and {place} are joined"));
        }
    }
    let name = |net: Option<usize>| match net {
        None => "nothing",
        Some(net) => place_of_net.get(&net).copied().unwrap_or(&netlist.names[net]),
    };
    for (node, place) in &wanted.place_of {
        let net = netlist.net_of.get(node).copied();
        let home = homes.get(place.as_str()).copied();
        if net.is_none() || (net != home && !is_turned_round(node, netlist, wanted, &homes)) {
            let Node { part, pin } = node;
            said.push(format!("{part} pin {pin} should be on {place}; it is on {}", name(net)));
        }
    }
    said.extend(strangers(netlist, wanted));
    said
}

/// Parts that are missing, unknown, or of another kind or value.
fn parts(netlist: &Netlist, wanted: &Wanted) -> Vec<String> {
    let mut said = Vec::new();
    for (name, part) in &wanted.parts {
        match netlist.parts.get(name) {
            None => said.push(format!("{name} is missing")),
            Some(found) if found.kind != part.kind => {
                said.push(format!("{name} is a {}; expected a {}", found.kind, part.kind));
            }
            Some(found) if found.value != part.value => {
                said.push(format!("{name} is {}; expected {}", found.value, part.value));
            }
            Some(_) => {}
        }
    }
    let unknown = netlist.parts.keys().filter(|name| !wanted.parts.contains_key(*name));
    said.extend(unknown.map(|name| format!("{name} is not known to the pin map")));
    said
}

/// The net of each place: the one on which most of the pins are that belong there; among equals the one with a pin
/// that cannot be turned round. The place with more pins on a net has it; only where all pins of another place are on it
/// too are the two joined.
fn homes<'a>(netlist: &Netlist, wanted: &'a Wanted) -> BTreeMap<&'a str, usize> {
    let mut votes: BTreeMap<&str, BTreeMap<usize, (u32, u32)>> = BTreeMap::new();
    for (node, place) in &wanted.place_of {
        if let Some(&net) = netlist.net_of.get(node) {
            let (pins, firm) = votes.entry(place).or_default().entry(net).or_default();
            *pins += 1;
            *firm += u32::from(!may_be_turned(&node.part));
        }
    }
    let mut places: Vec<_> = votes.into_iter().collect();
    places.sort_by_key(|(_, nets)| Reverse(nets.values().max().copied()));
    let (mut homes, mut taken) = (BTreeMap::new(), BTreeSet::new());
    for (place, nets) in places {
        let free = nets.iter().filter(|(net, _)| !taken.contains(*net)).max_by_key(|&(_, votes)| votes);
        if let Some((&net, _)) = free.or_else(|| nets.iter().next()) {
            taken.insert(net);
            homes.insert(place, net);
        }
    }
    homes
}

/// Switches, resistors and capacitors have two pins that are alike.
fn may_be_turned(part: &str) -> bool {
    part.starts_with(['S', 'R', 'C'])
}

/// Whether the part is where it belongs with its two pins in each other's place.
fn is_turned_round(node: &Node, netlist: &Netlist, wanted: &Wanted, homes: &BTreeMap<&str, usize>) -> bool {
    let [one, two] = [1, 2].map(|pin| Node::new(&node.part, pin));
    let home = |node: &Node| wanted.place_of.get(node).and_then(|place| homes.get(place.as_str()));
    may_be_turned(&node.part)
        && netlist.net_of.get(&one) == home(&two)
        && netlist.net_of.get(&two) == home(&one)
}

/// Pins that are joined to something and should not be.
fn strangers(netlist: &Netlist, wanted: &Wanted) -> Vec<String> {
    let mut pins_on: BTreeMap<usize, usize> = BTreeMap::new();
    netlist.net_of.values().for_each(|&net| *pins_on.entry(net).or_default() += 1);
    let open: BTreeSet<&Node> = wanted.open.iter().collect();
    let mut said = Vec::new();
    for (node, &net) in &netlist.net_of {
        let Node { part, pin } = node;
        if open.contains(node) {
            if pins_on[&net] > 1 {
                said.push(format!("{part} pin {pin} should be open; it is on {}", netlist.names[net]));
            }
        } else if !wanted.place_of.contains_key(node) {
            said.push(format!(
                "{part} pin {pin} is not known to the pin map; it is on {}",
                netlist.names[net]
            ));
        }
    }
    said
}
