import Diagnostics

extension ServiceFault {
    /// The fault of a source that was fetched before: what has its name no more may have been deleted.
    var ofKnownSource: ServiceFault {
        guard case .notFound = kind else { return self }
        var known = diagnostic
        known.hints.append("if it was deleted, end the source with 'until': its stored days stay")
        return ServiceFault(kind: .reported(known), profile: profile)
    }
}
