/// Drives libcurl: takes jobs from the queue, keeps the transfers going, returns the tasks.
///
/// Everything in it belongs to the one thread that runs it; only the queue is shared.
final class TransferLoop {
    private let options: Client.Options
    private let queue: TransferQueue
    private let multi: MultiHandle
    private var schedule: Schedule<Job>
    private var waiting: [UInt64: Origin] = [:]
    private var running: [UInt: Transfer] = [:]
    private var idle: [EasyHandle] = []
    private let decompressors: IdleDecompressors

    init(options: Client.Options, queue: TransferQueue) throws(CurlFailure) {
        self.options = options
        self.queue = queue
        multi = try MultiHandle()
        decompressors = IdleDecompressors(most: options.transfers)
        schedule = Schedule(perOrigin: options.transfersPerHost, total: options.transfers)
        try multi.limit(by: options)
    }

    /// The whole life of the loop's thread.
    static func run(options: Client.Options, queue: TransferQueue) {
        do throws(CurlFailure) {
            let loop = try TransferLoop(options: options, queue: queue)
            try loop.work()
            queue.end()
        } catch {
            queue.end(because: error)
        }
    }

    private func work() throws(CurlFailure) {
        unsafe queue.attach(multi.raw)
        defer {
            // First, so that nothing wakes a multi handle that is about to go.
            unsafe queue.attach(nil)
            failAll()
        }
        while true {
            let mail = queue.drain()
            mail.jobs.forEach(enqueue)
            if mail.isClosed { return }
            mail.canceled.forEach(cancel)
            try multi.perform()
            while let (id, code) = multi.nextEnded() { end(id, code) }
            startReady()
            try multi.poll(milliseconds: 60_000)
        }
    }

    private func enqueue(_ job: Job) {
        waiting[job.id] = job.request.address.origin
        schedule.enqueue(job, for: job.request.address.origin)
    }

    private func startReady() {
        while let job = schedule.next() {
            waiting[job.id] = nil
            do throws(CurlFailure) {
                let handle = try idleHandle()
                let transfer = try Transfer(
                    job, on: handle, options: options, decompressors: decompressors)
                try multi.add(handle)
                running[handle.id] = transfer
            } catch {
                schedule.ended(job.request.address.origin)
                // Other codes are those of the setup, which mean something else there than in a transfer.
                let kind: TransportError.Kind = error.code.kind == .file ? .file : .failed
                job.fail(kind, doing: error.doing, error.text)
            }
        }
    }

    private func idleHandle() throws(CurlFailure) -> EasyHandle {
        if let handle = idle.popLast() { return handle }
        return try EasyHandle()
    }

    private func end(_ id: UInt, _ code: CurlCode) {
        guard let transfer = running[id] else { return }
        let result = transfer.result(code)
        release(transfer)
        transfer.job.continuation.resume(returning: result)
    }

    private func cancel(_ id: UInt64) {
        if let origin = waiting.removeValue(forKey: id) {
            schedule.remove(id, for: origin)?.fail(.canceled, doing: "waiting for a connection")
        } else if let transfer = running.values.first(where: { $0.job.id == id }) {
            release(transfer)
            transfer.job.fail(.canceled, doing: "waiting for the response")
        }
    }

    // The handle leaves the multi handle before the table drops the transfer that its callbacks point to.
    private func release(_ transfer: Transfer) {
        multi.remove(transfer.handle)
        running[transfer.handle.id] = nil
        transfer.end()
        schedule.ended(transfer.job.request.address.origin)
        if idle.count < options.transfers { idle.append(transfer.handle) }
    }

    private func failAll() {
        for transfer in Array(running.values) {
            release(transfer)
            transfer.job.fail(.closed, doing: "waiting for the response")
        }
        schedule.removeAll().forEach { $0.fail(.closed, doing: "waiting for a connection") }
        // libcurl wants the easy handles cleaned up before the multi handle they were used with.
        idle = []
    }
}
