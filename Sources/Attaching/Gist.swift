package import AppHealth

/// What is worth another message: the verdict and the alerts in a summary, by app where it is about several, as texts to
/// compare with those of a summary that arrived.
package struct Gist: Sendable, Equatable {
    /// What became of what a summary said.
    package enum Change: Sendable, Equatable {
        /// It is the same.
        case none
        /// What it said was true, and there is something newer.
        case renewal
        /// What it said is not so.
        case correction
    }

    /// What is kept of one app, and other texts that say the same to whoever reads it: those without what is muted.
    package struct Part: Sendable, Equatable {
        let text: String
        let same: [String]

        /// Makes a part.
        package init(_ text: String, same: [String] = []) {
            self.text = text
            self.same = same
        }

        /// Whether the digest of one that arrived says the same.
        func isSame(as kept: some StringProtocol) -> Bool {
            ([text] + same).contains { digest($0).hasPrefix(kept) }
        }
    }

    private enum Form: Sendable, Equatable {
        case single(Part)
        case apps([String: Part], former: String)
        case release(Part, through: CivilDate, takenBack: Set<String>)
    }

    private let form: Form

    /// That of a day.
    package init(_ text: String, same: [String] = []) { form = .single(Part(text, same: same)) }

    /// That of several apps, by their ids: only apps of which both summaries say something are compared.
    ///
    /// - Parameter former: the text of all of them of which ledgers kept a digest before they kept each app.
    package init(apps: [String: Part], former: String) { form = .apps(apps, former: former) }

    /// That of a release: another verdict with more days is no correction.
    ///
    /// - Parameters:
    ///   - day: the last day of the figures.
    ///   - takenBack: the verdicts that the release had once, and which the data of those days no longer give.
    package init(verdict: String, through day: CivilDate, takenBack: Set<String>) {
        form = .release(Part(verdict), through: day, takenBack: takenBack)
    }

    /// What is kept of it in the ledger, without whether it was sent as a correction.
    var kept: String {
        switch form {
        case .single(let part): digest(part.text)
        case .apps(let parts, _):
            parts.sorted { $0.key < $1.key }.map { app, part in
                "\(app)=\(digest(part.text).prefix(Self.digitsOfApp))"
            }.joined(separator: " ")
        case .release(let part, let day, _): "\(digest(part.text))@\(day)"
        }
    }

    /// The same for the same verdicts and alerts, whatever their days.
    var name: String {
        if case .release(let part, _, _) = form { digest(part.text) } else { kept }
    }

    private static let digitsOfApp = 16

    /// What changed since a summary that arrived.
    func change(since old: KeptGist) -> Change {
        switch form {
        case .single(let part): return part.isSame(as: old.digest) ? .none : .correction
        case .apps(let parts, let former):
            guard let apps = old.apps else { return old.digest == digest(former) ? .none : .correction }
            return apps.allSatisfy { app, kept in parts[app]?.isSame(as: kept) != false }
                ? .none : .correction
        case .release(let part, let day, let takenBack):
            if part.isSame(as: old.digest) { return .none }
            let isTakenBack = takenBack.contains { digest($0) == old.digest }
            return isTakenBack || old.day == day.description ? .correction : .renewal
        }
    }
}

/// What the ledger keeps of a gist: a digest, of a release with the last day of its figures, of several apps one for each.
struct KeptGist: Equatable {
    /// As it is kept.
    let text: String
    /// The digest of a day or a release; of several apps all of them.
    let digest: String
    /// The digests by app; nil where there is one for all.
    let apps: [String: String]?
    /// The last day of the figures of a release; nil where that is not kept.
    let day: String?
    /// Whether it was sent as a correction; ledgers did not keep that before.
    let isCorrection: Bool

    private static let mark: Character = "!"

    init(_ text: String) {
        self.text = text
        isCorrection = text.last == Self.mark
        let body = isCorrection ? String(text.dropLast()) : text
        let parts = body.split(separator: "@", maxSplits: 1)
        digest = parts.first.map(String.init) ?? ""
        day = parts.count == 2 ? String(parts[1]) : nil
        let pairs = body.split(separator: " ").map { $0.split(separator: "=", maxSplits: 1) }
        apps =
            pairs.isEmpty || pairs.contains { $0.count != 2 }
            ? nil
            : Dictionary(pairs.map { (String($0[0]), String($0[1])) }, uniquingKeysWith: { $1 })
    }

    init(_ gist: Gist, isCorrection: Bool) {
        self.init(gist.kept + (isCorrection ? String(Self.mark) : ""))
    }

    /// What a summary that arrived was to the one before it.
    func change(since old: KeptGist) -> Gist.Change {
        if isCorrection { return self.digest == old.digest && old.isCorrection ? .none : .correction }
        if let apps, let olds = old.apps {
            return olds.allSatisfy { apps[$0.key] == nil || apps[$0.key] == $0.value } ? .none : .correction
        }
        if digest == old.digest { return .none }
        return day == nil ? .correction : .renewal
    }
}
