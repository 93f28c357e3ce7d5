import Diagnostics

/// An address as a message shows it: host and path as a whole, as a path may name the file that is at fault, and the first
/// parameters as far as they fit on a line. The others may be a whole query with its values, which no one reads on a
/// console.
func shownAddress(_ address: String) -> String {
    guard address.count > mostShown else { return printable(address) }
    let place = address.prefix { $0 != "?" }
    guard place.count < address.count else { return printable(address) }
    var shown = String(place)
    for (number, parameter) in address.dropFirst(place.count + 1).split(separator: "&").enumerated() {
        let next = shown + (number == 0 ? "?" : "&") + parameter
        guard next.count < mostShown else { break }
        shown = next
    }
    return printable(shown) + "…"
}

private let mostShown = 120
