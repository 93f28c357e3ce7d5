import AppHealth
import Foundation
import Transport

/// The files of one instance, as they were read whole, for the nights after.
///
/// What was processed of a report on a day stays as it is; what is known later comes with a newer instance. An
/// instance of the last days may have been listed before all its segments were there, so its list is read again,
/// and a segment with the same checksum is not.
struct AppStoreConnectKept: Equatable {
    /// What was listed so many days after its processing or later is all of an instance: not even the list of its segments
    /// is requested again.
    static let settledDays = 2

    /// The day on which the list last named these segments, in days since 1970; nil in files of earlier versions, which
    /// kept them without it.
    var listedOn: Int?
    /// Size and checksum of each segment as the list reported them; nil for a segment without a checksum.
    var marks: [String?]
    /// The text of each segment.
    var texts: [[UInt8]]

    /// Whether the list names these segments and no other.
    func holds(_ segments: [AppStoreConnectSegment]) -> Bool {
        let stated = segments.map(\.mark)
        return stated == marks && stated.allSatisfy { $0 != nil }
    }

    /// Whether its segments are all of an instance.
    func isSettled(_ instance: AppStoreConnectInstance) -> Bool {
        guard let listedOn else { return true }
        return listedOn - instance.attributes.processingDate.date.daysSinceEpoch >= Self.settledDays
    }
}

extension AppStoreConnectSegment {
    /// What distinguishes its file from another one.
    var mark: String? {
        attributes.checksum.map {
            "\($0.text) \(attributes.sizeInBytes.map { String($0.value) } ?? "-")"
        }
    }
}

// MARK: Bytes

extension AppStoreConnectKept {
    private struct Head: Codable {
        var listedOn: Int?
        var marks: [String?]
        var lengths: [Int]
    }

    /// A line of JSON with the marks and lengths, then the texts.
    var bytes: [UInt8]? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        guard
            let head = try? encoder.encode(
                Head(listedOn: listedOn, marks: marks, lengths: texts.map(\.count)))
        else {
            return nil
        }
        return Array(head) + [UInt8(ascii: "\n")] + texts.joined()
    }

    /// Nil when the bytes are of another form.
    init?(bytes: [UInt8]) {
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")),
            let head = try? JSONDecoder().decode(Head.self, from: Data(bytes[..<end])),
            head.marks.count == head.lengths.count, head.lengths.allSatisfy({ $0 >= 0 })
        else { return nil }
        var rest = bytes[(end + 1)...]
        texts = []
        for length in head.lengths {
            guard length <= rest.count else { return nil }
            texts.append(Array(rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
        guard rest.isEmpty else { return nil }
        (listedOn, marks) = (head.listedOn, head.marks)
    }
}
