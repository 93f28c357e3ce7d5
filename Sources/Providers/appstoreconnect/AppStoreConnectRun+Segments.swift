import AppHealth
import Transport

extension AppStoreConnectRun {
    /// All files of an instance, from an earlier night where they cannot have changed; `isNew` says whether they
    /// were asked for now.
    mutating func files(
        of instance: AppStoreConnectInstance
    ) async throws(ServiceFault) -> (files: AppStoreConnectKept, isNew: Bool) {
        let id = instance.id.text
        let known = kept(id)
        if let known, AppStoreConnectKept.isSettled(instance, on: today) { return (known, false) }
        let pages = try await pages(
            AppStoreConnectPage<AppStoreConnectSegment>.self, .segments(instance: id))
        if let why = pages.warnings.first {
            throw parts.client.fault(.reported(why))
        }
        if let known, known.holds(pages.elements) { return (known, false) }
        var read = AppStoreConnectKept(marks: pages.elements.map(\.mark), texts: [])
        for segment in pages.elements {
            let download = AppStoreConnectDownload(segment: segment, configuration: configuration)
            read.texts.append(try await download.text(by: &parts.client, through: plainSender))
        }
        return (read, true)
    }

    private func kept(_ instance: String) -> AppStoreConnectKept? {
        keptFiles?[name(of: instance)].flatMap(AppStoreConnectKept.init)
    }

    /// Keeps what was read whole and is as it should be.
    func keep(_ read: AppStoreConnectKept, of instance: String) {
        guard let bytes = read.bytes else { return }
        keptFiles?.keep(bytes, as: name(of: instance))
    }

    private func name(of instance: String) -> String {
        AppStoreConnectEndpoint.segments(instance: instance).text(below: configuration.base)
    }
}
