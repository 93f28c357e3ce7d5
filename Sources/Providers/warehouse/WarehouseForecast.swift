package import Diagnostics

/// What a query would read, as its server works it out without running it.
package struct WarehouseForecast: Sendable {
    /// How much it is.
    package enum Amount: Hashable, Sendable {
        case bytes(Int)
        /// Rows of all tables, and about how many bytes the columns of them have that are read; nil where the server's
        /// catalog may not be read.
        case reading(rows: Int, bytes: Int?)
        /// No more than these bytes: all rows of the tables, where the server does not say which of them are read.
        case atMost(bytes: Int)
        /// The server does not say, and why.
        case unknown(String)
    }

    /// The query's name; empty when not even the server was reached.
    package let name: String
    /// How much, or why it is not known.
    package let amount: Result<Amount, Diagnostic>
}

/// What a service takes for what its queries read, as a person states it: `6.25 USD`.
package struct WarehousePrice: Hashable, Sendable {
    /// Of how many bytes it is: those of a tebibyte.
    package static let unit = 1 << 40

    /// The price of so many bytes.
    package let amount: Double
    /// The name of the currency; empty when none is stated.
    package let currency: String

    /// Reads a decimal number and a word; nil for anything else.
    init?(_ text: String) {
        let words = text.split(separator: " ")
        guard let number = words.first, (1...2).contains(words.count), number.utf8.count <= 12,
            number.utf8.allSatisfy({ "0123456789.".utf8.contains($0) }), let amount = Double(number)
        else { return nil }
        let currency = words.dropFirst().first ?? ""
        guard currency.utf8.count <= 8, currency.unicodeScalars.allSatisfy(\.properties.isAlphabetic) else {
            return nil
        }
        self.amount = amount
        self.currency = String(currency)
    }

    /// What so many bytes cost.
    package func cost(of bytes: Int) -> Double { Double(bytes) / Double(Self.unit) * amount }
}

extension WarehouseRun {
    /// What each query would read; one of which it is not known leaves the others.
    mutating func forecasts() async -> [WarehouseForecast] {
        do throws(ServiceFault) {
            try await meetServer()
        } catch {
            return [WarehouseForecast(name: "", amount: .failure(error.diagnostic))]
        }
        var forecasts: [WarehouseForecast] = []
        for query in WarehouseQuery.allCases {
            guard let file = text(query) else { continue }
            do throws(ServiceFault) {
                let amount = try await amount(of: query, file)
                forecasts.append(WarehouseForecast(name: query.rawValue, amount: .success(amount)))
            } catch {
                forecasts.append(WarehouseForecast(name: query.rawValue, amount: .failure(error.diagnostic)))
                if error.endsRequests { break }
            }
        }
        return forecasts
    }
}
