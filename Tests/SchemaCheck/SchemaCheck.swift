package import Foundation

/// As much of JSON Schema 2020-12 as the schemas of this program use.
package struct SchemaCheck {
    package let root: [String: Any]

    /// The schema in a file.
    package init?(_ file: String) {
        guard let data = FileManager.default.contents(atPath: file) else { return nil }
        self.init(data)
    }

    /// The schema in a text of JSON.
    package init?(_ data: Data) {
        guard let root = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
        else { return nil }
        self.root = root
    }

    /// A schema that was read.
    package init(root: [String: Any]) { self.root = root }

    /// What is wrong with a document; empty when nothing is.
    package func faults(in data: Data) -> [String] {
        guard let value = try? JSONSerialization.jsonObject(with: data) else { return ["not JSON"] }
        return faults(value, root, at: "$")
    }

    private func faults(_ value: Any, _ schema: [String: Any], at place: String) -> [String] {
        if let reference = schema["$ref"] as? String {
            let name = String(reference.split(separator: "/").last ?? "")
            guard let target = (root["$defs"] as? [String: [String: Any]])?[name] else {
                return ["\(place): no \(reference)"]
            }
            return faults(value, target, at: place)
        }
        var found = conditionFaults(value, schema, at: place)
        if let choices = schema["anyOf"] as? [[String: Any]] {
            let all = choices.map { faults(value, $0, at: place) }
            if !all.contains([]) { found += all.first ?? [] }
        }
        let types = (schema["type"] as? [String]) ?? (schema["type"] as? String).map { [$0] }
        if let types, !types.contains(where: { isOf($0, value) }) { found.append("\(place): not \(types)") }
        if let words = schema["enum"] as? [Any], !words.contains(where: { isSame($0, value) }) {
            found.append("\(place): not in enum")
        }
        if let constant = schema["const"], !isSame(constant, value) { found.append("\(place): not const") }
        if let pattern = schema["pattern"] as? String, let text = value as? String,
            text.range(of: pattern, options: .regularExpression) == nil
        {
            found.append("\(place): \(text) does not match")
        }
        if let text = value as? String { found += lengthFaults(text, schema, at: place) }
        if let number = value as? NSNumber, !isTruth(value) {
            if let least = schema["minimum"] as? Double, number.doubleValue < least {
                found.append("\(place): too small")
            }
            if let bound = schema["exclusiveMinimum"] as? Double, number.doubleValue <= bound {
                found.append("\(place): too small")
            }
            if let bound = schema["exclusiveMaximum"] as? Double, number.doubleValue >= bound {
                found.append("\(place): too large")
            }
            if let most = schema["maximum"] as? Double, number.doubleValue > most {
                found.append("\(place): too large")
            }
        }
        if let object = value as? [String: Any] { found += faults(object, schema, at: place) }
        if let list = value as? [Any], let least = schema["minItems"] as? Int, list.count < least {
            found.append("\(place): too few")
        }
        if let list = value as? [Any], let items = schema["items"] as? [String: Any] {
            for (index, item) in list.enumerated() { found += faults(item, items, at: "\(place)[\(index)]") }
        }
        return found
    }

    /// A length is counted in code points.
    private func lengthFaults(_ text: String, _ schema: [String: Any], at place: String) -> [String] {
        let length = text.unicodeScalars.count
        var found: [String] = []
        if let least = schema["minLength"] as? Int, length < least { found.append("\(place): too short") }
        if let most = schema["maxLength"] as? Int, length > most { found.append("\(place): too long") }
        return found
    }

    private func conditionFaults(_ value: Any, _ schema: [String: Any], at place: String) -> [String] {
        var found = (schema["allOf"] as? [[String: Any]] ?? []).flatMap { faults(value, $0, at: place) }
        if let condition = schema["if"] as? [String: Any], let then = schema["then"] as? [String: Any],
            faults(value, condition, at: place).isEmpty
        {
            found += faults(value, then, at: place)
        }
        return found
    }

    private func faults(_ object: [String: Any], _ schema: [String: Any], at place: String) -> [String] {
        let properties = schema["properties"] as? [String: [String: Any]] ?? [:]
        var found = (schema["required"] as? [String] ?? []).filter { object[$0] == nil }
            .map { "\(place): no \($0)" }
        for (key, value) in object.sorted(by: { $0.key < $1.key }) {
            if let property = properties[key] {
                found += faults(value, property, at: "\(place).\(key)")
            } else if schema["additionalProperties"] as? Bool == false {
                found.append("\(place): unknown \(key)")
            }
        }
        return found
    }

    private func isOf(_ type: String, _ value: Any) -> Bool {
        switch type {
        case "null": value is NSNull
        case "boolean": isTruth(value)
        case "string": value is String
        case "integer":
            !isTruth(value)
                && (value as? NSNumber).map { $0.doubleValue.rounded() == $0.doubleValue } ?? false
        case "number": !isTruth(value) && value is NSNumber
        case "array": value is [Any]
        case "object": value is [String: Any]
        default: false
        }
    }

    /// Any number that is 0 or 1 can be cast to a truth value; only true and false are stored as one.
    private func isTruth(_ value: Any) -> Bool {
        (value as? NSNumber).map { String(cString: $0.objCType) == "c" } ?? false
    }

    private func isSame(_ one: Any, _ other: Any) -> Bool {
        if one is NSNull || other is NSNull { return one is NSNull && other is NSNull }
        return (one as? NSObject) == (other as? NSObject)
    }
}
