import AppHealth
import Transport

/// The snapshot files that one run has read, so that a folder with the files of many apps is read once.
///
/// The bytes of a file are held until the app it is about has taken them, and at most 128 MiB of them; what is
/// beyond that is read again by its own app.
package actor SnapshotFileCache {
    /// A file, or no more than whose it is.
    struct File: Sendable {
        /// The app that it names; nil when it names none.
        var owner: Slug?
        /// The time that it names.
        var time: Instant?
        /// Nil when another app has taken them.
        var bytes: [UInt8]?
    }

    typealias DataState = @Sendable () async -> Result<File, RequestFault>

    private enum Slot {
        case reading(Task<Result<File, RequestFault>, Never>)
        case held(Result<File, RequestFault>)
    }

    private static let mostBytes = 128 << 20
    private var slots: [Address: Slot] = [:]
    private var heldBytes = 0

    /// Nothing is read yet.
    package init() {}

    /// A file for an app; its bytes are in it when it is about the app or about none.
    func file(at address: Address, for app: Slug, _ read: @escaping DataState) async -> Result<
        File, RequestFault
    > {
        let result: Result<File, RequestFault>
        switch slots[address] {
        case .held(let known): result = known
        case .reading(let task): result = await task.value
        case nil:
            let task = Task { await read() }
            slots[address] = .reading(task)
            result = await task.value
            hold(result, at: address)
        }
        guard case .success(let file) = result, file.owner == nil || file.owner == app else {
            return result
        }
        if file.owner == app { giveAway(address) }
        return file.bytes == nil ? await read() : result
    }

    private func hold(_ result: Result<File, RequestFault>, at address: Address) {
        guard case .success(var file) = result else {
            slots[address] = .held(result)
            return
        }
        let count = file.bytes?.count ?? 0
        if count <= Self.mostBytes - heldBytes { heldBytes += count } else { file.bytes = nil }
        slots[address] = .held(.success(file))
    }

    private func giveAway(_ address: Address) {
        guard case .held(.success(var file)) = slots[address] else { return }
        heldBytes -= file.bytes?.count ?? 0
        file.bytes = nil
        slots[address] = .held(.success(file))
    }
}
