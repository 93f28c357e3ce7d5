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

    /// What is kept of one app, and other texts that say the same to whoever reads it: those without what is hidden.
    package struct Part: Sendable, Equatable {
        let text: String
        let same: [String]
        let former: [String]

        /// Makes a part.
        ///
        /// - Parameter former: texts that ledgers of earlier versions may have in its place.
        package init(_ text: String, same: [String] = [], former: [String] = []) {
            self.text = text
            self.same = same
            self.former = former
        }

        /// Whether one that arrived says the same: it has a text in common with this one. What is hidden may change alone,
        /// and so may what is hidden of it.
        func isSame(as kept: KeptTexts) -> Bool {
            ([text] + same + former).contains { kept.contain(digest($0)) }
        }

        /// What is kept of it, as digests of so many digits.
        func kept(digits: Int) -> String {
            KeptTexts(([text] + same).map { String(digest($0).prefix(digits)) }).text
        }
    }

    private enum Form: Sendable, Equatable {
        case single(Part)
        case apps([String: Part], former: String)
        case release(Part, through: CivilDate, takenBack: Set<String>)
    }

    private let form: Form

    /// That of a day.
    package init(_ text: String, same: [String] = [], former: [String] = []) {
        form = .single(Part(text, same: same, former: former))
    }

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
        case .single(let part): part.kept(digits: Self.digits)
        case .apps(let parts, _):
            parts.sorted { $0.key < $1.key }.map { app, part in
                "\(app)=\(part.kept(digits: Self.digitsOfApp))"
            }.joined(separator: " ")
        case .release(let part, let day, _): "\(digest(part.text))@\(day)"
        }
    }

    /// The same for the same verdicts and alerts, whatever their days.
    var name: String {
        switch form {
        case .single(let part), .release(let part, _, _): digest(part.text)
        case .apps: kept
        }
    }

    private static let digits = 32
    private static let digitsOfApp = 16

    /// What changed since a summary that arrived.
    func change(since old: KeptGist) -> Change {
        switch form {
        case .single(let part): return part.isSame(as: old.texts) ? .none : .correction
        case .apps(let parts, let former):
            guard let apps = old.apps else { return old.digest == digest(former) ? .none : .correction }
            return apps.allSatisfy { app, kept in parts[app]?.isSame(as: kept) != false }
                ? .none : .correction
        case .release(let part, let day, let takenBack):
            if part.isSame(as: old.texts) { return .none }
            let isTakenBack = takenBack.contains { digest($0) == old.digest }
            return isTakenBack || old.day == day.description ? .correction : .renewal
        }
    }
}

/// What the ledger keeps of one app: the digest of its text, and after it those of others that say the same.
struct KeptTexts: Equatable {
    private let digests: [String]

    private static let mark: Character = "~"

    /// Those of some digests, each once.
    init(_ digests: [String]) {
        self.digests = digests.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// Those that are kept as a text.
    init(_ text: some StringProtocol) {
        self.init(text.split(whereSeparator: { $0 == Self.mark }).map { String($0) })
    }

    /// As they are kept.
    var text: String { digests.joined(separator: String(Self.mark)) }

    /// Whether a digest is one of them, however many of its digits are kept.
    func contain(_ digest: String) -> Bool { digests.contains { digest.hasPrefix($0) } }

    /// Whether one that arrived says the same.
    func isSame(as other: KeptTexts) -> Bool { digests.contains(where: other.contain) }
}

/// What the ledger keeps of a gist: digests, of a release with the last day of its figures, of several apps some for each.
struct KeptGist: Equatable {
    /// As it is kept.
    let text: String
    /// The digest of a release, or of a week as it was kept before each app had its own; of a day and of several apps all
    /// of them.
    let digest: String
    /// Those of a day or a release.
    let texts: KeptTexts
    /// Those of each app; nil where there are some for all.
    let apps: [String: KeptTexts]?
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
        texts = KeptTexts(digest)
        day = parts.count == 2 ? String(parts[1]) : nil
        let pairs = body.split(separator: " ").map { $0.split(separator: "=", maxSplits: 1) }
        apps =
            pairs.isEmpty || pairs.contains { $0.count != 2 }
            ? nil
            : Dictionary(pairs.map { (String($0[0]), KeptTexts($0[1])) }, uniquingKeysWith: { $1 })
    }

    init(_ gist: Gist, isCorrection: Bool) {
        self.init(gist.kept + (isCorrection ? String(Self.mark) : ""))
    }

    /// What a summary that arrived was to the one before it.
    func change(since old: KeptGist) -> Gist.Change {
        if isCorrection { return isSame(as: old) && old.isCorrection ? .none : .correction }
        if isSame(as: old) { return .none }
        return day == nil ? .correction : .renewal
    }

    private func isSame(as old: KeptGist) -> Bool {
        guard let apps, let olds = old.apps else { return texts.isSame(as: old.texts) }
        return olds.allSatisfy { apps[$0.key]?.isSame(as: $0.value) != false }
    }
}

extension Gist {
    /// What the ledger keeps of a summary, after one of its apps got another id.
    package static func kept(_ text: String, renaming old: String, to new: String) -> String {
        let begin = "\(old)="
        return text.split(separator: " ", omittingEmptySubsequences: false).map { pair in
            pair.hasPrefix(begin) ? "\(new)=\(pair.dropFirst(begin.count))" : String(pair)
        }.joined(separator: " ")
    }
}
