package import Diagnostics
import Synchronization

/// A place that a site is published to.
package protocol Target: Sendable {
    /// Where it is, free of secrets: `/srv/www/report`, `s3://bucket/prefix`.
    var place: String { get }

    /// What tells how a file is served there; a file that is served otherwise is sent again.
    func served(_ file: SiteFile) -> String

    /// What the last publication left there; nil when there was none.
    func lastPublication() async throws(Diagnostic) -> LastPublication?

    /// What is there that no publication put there and that a plan would touch.
    func foreignFiles(under plan: PublicationPlan) async throws(Diagnostic) -> ForeignFiles

    /// Does what a plan says, or as much of it as leaves every link working.
    ///
    /// - Parameter sent: called after each file that has arrived.
    /// - Returns: those of the removed paths whose files are still there, as others changed them.
    @discardableResult
    func apply(
        _ plan: PublicationPlan, of site: SiteFolder, at instant: String,
        sent: @escaping @Sendable (PublicationPlan.Upload) -> Void
    ) async throws(Diagnostic) -> [PublishedPath]

    /// What would hinder a publication beyond reading what is there; changes nothing.
    func obstacles() async -> [Diagnostic]

    /// What was amiss so far and hindered nothing.
    var remarks: [Diagnostic] { get }
}

extension Target {
    package func served(_ file: SiteFile) -> String { "" }
    package func obstacles() async -> [Diagnostic] { [] }
    package var remarks: [Diagnostic] { [] }
}

/// What a target has to say besides how a publication ended.
final class PublicationRemarks: Sendable {
    private let list = Mutex<[Diagnostic]>([])

    var all: [Diagnostic] { list.withLock { $0 } }

    func add(_ remark: Diagnostic) { list.withLock { $0.append(remark) } }
}
