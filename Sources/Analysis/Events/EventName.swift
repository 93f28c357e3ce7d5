import AppHealth

/// What an event is about, as the last part of its id.
///
/// Ids are permanent, so a text that is no slug gets the 12 digits that it always had; what they are not enough for is
/// in `distinct(_:)`.
func eventName(of subject: String) -> String {
    Slug(subject)?.text ?? Slug.safeCharacters(of: subject) + "-" + shortDigest(of: subject)
}

/// The events with ids that are theirs alone: of those about different things that would have the same one, each gets
/// a digest of what it is about, whatever their order.
func distinct(_ events: [Event]) -> [Event] {
    let subjects = Dictionary(grouping: events, by: \.occasion.id).mapValues {
        Set($0.map(\.occasion.subject))
    }
    return events.map { event in
        let place = event.occasion
        guard (subjects[place.id]?.count ?? 0) > 1 else { return event }
        // With the sign in front it is no slug, so it always gets a digest.
        return event.renamed(
            "\(place.app.id)/\(place.rule)/\(place.day)/\(Slug(anyText: "=" + place.subject))")
    }
}

/// Twelve hexadecimal digits of the FNV-1a hash (64 bits) of the text: stable over machines and versions, and no
/// defense against someone who looks for two texts with the same.
private func shortDigest(of text: String) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    let digits = String(hash, radix: 16)
    return String((String(repeating: "0", count: 16 - digits.count) + digits).suffix(12))
}
