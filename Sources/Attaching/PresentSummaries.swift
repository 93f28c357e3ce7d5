package import AppHealth

extension AttachLedger {
    /// The summaries that are at a place, as they arrived last, oldest first.
    package func present(at target: any AttachTarget) -> [AttachmentEntry] {
        presentRecords(at: target).compactMap(\.arrived)
    }

    /// What is at a place for readers who see more than its reader of now, and was not written for that one, oldest first.
    ///
    /// - Parameter wider: the readers who see more.
    package func exposed(
        to reader: String, from wider: Set<String>, at target: any AttachTarget
    ) -> [AttachRecord] {
        presentRecords(at: target).filter { record in
            guard let arrived = record.arrived, wider.contains(arrived.key.audience) else { return false }
            // What gave way for this reader is there no more.
            return record.newest.state != .superseded || record.newest.key.audience != reader
        }
    }

    /// Whether it was already said that some of what is at a place is for readers who see more.
    package func hasNamed(_ exposed: [AttachmentEntry], for reader: String) -> Bool {
        guard let target = exposed.first?.key.target, let newest = exposed.map(\.at).max() else {
            return true
        }
        guard let named = record(of: .reader(reader, of: target))?.newest else { return false }
        return named.key.audience == reader && named.at >= newest
    }

    private func presentRecords(at target: any AttachTarget) -> [AttachRecord] {
        switch target.keeps {
        case .none: return []
        case .all: return arrivedRecords.filter { !$0.isGone }
        case .lastOfApp:
            let inOrder = arrivedRecords
            let last = Dictionary(inOrder.map { ($0.newest.key.app, $0) }, uniquingKeysWith: { $1 })
            return inOrder.filter { last[$0.newest.key.app] == $0 && !$0.isGone }
        }
    }
}

extension AttachmentKey {
    /// That a place has a reader: what was sent to it before, for readers who see more, was named then.
    package static func reader(_ reader: String, of target: String) -> AttachmentKey {
        AttachmentKey(target: target, kind: .day, app: "", subject: anySubject, audience: reader)
    }
}

/// `sketchbook 4.2.2, sketchbook 4.3.0 and 2 earlier`, of steps in their order.
package func subjectList(_ steps: [AttachmentEntry]) -> String {
    let most = 3
    let list = steps.suffix(most).map(\.key.name).joined(separator: ", ")
    return steps.count > most ? "\(list) and \(steps.count - most) earlier" : list
}
