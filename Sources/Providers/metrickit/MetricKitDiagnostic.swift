/// One crash, hang or exception. Whatever is odd in it costs that part of it only: it happened.
struct MetricKitDiagnostic: Decodable, Sendable {
    var metaData: Lenient<MetaData>?
    var tree: Lenient<MetricKitTree>?

    /// What the system says of it.
    struct MetaData: Decodable, Sendable {
        var version: Lenient<WireName>?
        var build: Lenient<WireLabel>?
        var signal: Lenient<Int>?
        var exceptionType: Lenient<Int>?
        var termination: Lenient<WireLine>?

        private enum CodingKeys: String, CodingKey {
            case signal, exceptionType
            case version = "appVersion"
            case build = "appBuildVersion"
            case termination = "terminationReason"
        }
    }

    private enum CodingKeys: String, CodingKey {
        case metaData = "diagnosticMetaData"
        case tree = "callStackTree"
    }
}

/// `MXCallStackTree`: one stack for each thread, or one weighted tree of all.
struct MetricKitTree: Decodable, Sendable {
    var isPerThread: Lenient<Bool>?
    var stacks: LossyArray<Stack>

    /// A thread, or the tree.
    struct Stack: Decodable, Sendable {
        var isAttributed: Lenient<Bool>?
        var roots: LossyArray<Frame>?

        private enum CodingKeys: String, CodingKey {
            case isAttributed = "threadAttributed"
            case roots = "callStackRootFrames"
        }
    }

    /// A call. In a stack, what is below a frame called it; in a tree, it was called by the frame.
    struct Frame: Decodable, Sendable {
        var binary: Lenient<WireName>?
        var binaryID: Lenient<WireName>?
        var offset: Lenient<Count>?
        var samples: Lenient<Count>?
        var below: Lenient<LossyArray<Frame>>?

        private enum CodingKeys: String, CodingKey {
            case binary = "binaryName"
            case binaryID = "binaryUUID"
            case offset = "offsetIntoBinaryTextSegment"
            case samples = "sampleCount"
            case below = "subFrames"
        }
    }

    private enum CodingKeys: String, CodingKey {
        case isPerThread = "callStackPerThread"
        case stacks = "callStacks"
    }

    /// The calls of the thread at fault, or on the path with most samples; innermost first.
    var frames: [Frame] {
        let stacks = stacks.values
        guard let stack = stacks.first(where: { $0.isAttributed?.value == true }) ?? stacks.first else {
            return []
        }
        let isTree = isPerThread?.value == false
        var (path, level) = ([Frame](), stack.roots?.values ?? [])
        while let frame = isTree ? heaviest(level) : level.first {
            path.append(frame)
            level = frame.below?.value?.values ?? []
        }
        return isTree ? path.reversed() : path
    }

    /// The first of those with most samples.
    private func heaviest(_ frames: [Frame]) -> Frame? {
        frames.reduce(nil) { best, frame in
            guard let best else { return frame }
            return (frame.samples?.value?.value ?? 0) > (best.samples?.value?.value ?? 0) ? frame : best
        }
    }
}
