package import AppHealth
import GRDB

extension Archive {
    /// What is remembered of the passages that the owner wrote; rows that cannot be understood are left alone.
    package func passages() throws(ArchiveError) -> KnownPassages {
        try read { try KnownPassages(in: $0) }
    }

    /// Remembers passages in place of those before. No page shows them, so no app counts as changed.
    package func keep(_ passages: KnownPassages) throws(ArchiveError) {
        try write { database in
            try database.execute(sql: "DELETE FROM passage")
            for (texts, quotes) in [(passages.own, 0), (passages.quoting, 1)] {
                for text in texts.sorted() {
                    try database.cachedStatement(sql: insertion).execute(arguments: [text, quotes])
                }
            }
        }
    }
}

private let insertion = "INSERT OR REPLACE INTO passage (text, quotes) VALUES (?, ?)"

extension KnownPassages {
    /// What a database remembers.
    init(in database: Database) throws {
        self.init()
        let cursor = try Row.fetchCursor(database, sql: "SELECT text, quotes FROM passage")
        while let row = try cursor.next() {
            guard let text = String.fromDatabaseValue(row[0]) else { continue }
            switch Int.fromDatabaseValue(row[1]) {
            case 0: own.insert(text)
            case 1: quoting.insert(text)
            default: continue
            }
        }
    }
}
