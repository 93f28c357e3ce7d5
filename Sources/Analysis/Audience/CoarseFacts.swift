import AppHealth
import Statistics

extension TopCrashIssues {
    /// The issues as those see them from whom counts are hidden: good for their shares alone.
    var coarse: TopCrashIssues {
        var issues = self
        issues.share = share.coarse.reaching(isReached ? Self.wantedShare : 0)
        issues.whole.count = issues.share.denominator
        issues.users = users.map { Users(least: $0.least.coarse, most: $0.most.coarse) }
        return issues
    }
}

extension Fraction {
    /// The share that is not below a least one, which it is known to reach.
    fileprivate func reaching(_ least: Double) -> Fraction {
        let part = (least * Double(denominator) * (1 - 1e-12)).rounded(.up)
        return value < least ? Fraction(Int(part), of: denominator) ?? self : self
    }
}

extension IssueRise {
    /// The rise as those see it from whom counts are hidden.
    var coarse: IssueRise {
        var rise = self
        switch size {
        case .users(let count):
            rise.size = .users(CoarseCounts.whole(count))
            rise.share = CoarseCounts.share(share, ofAbout: Double(count) / share)
        case .events(let count):
            rise.size = .events(CoarseCounts.whole(count))
            rise.share = CoarseCounts.share(share, ofAbout: Double(count) / share)
        case .eventsPerSession, .few: rise.share = CoarseCounts.share(share, ofAbout: 1)
        }
        return rise
    }
}

extension StabilityBudget {
    /// The budget as those see it from whom counts are hidden: what is left of it is that of coarse days.
    var coarse: StabilityBudget {
        var coarse = self
        coarse.remaining.spent = min(1, spent)
        coarse.remaining.allowsLessThanOne = false
        if budget.allowed > 0 {
            let days = wholeCount(budget.days.map { $0?.coarseSummand })
            let left = 1 - Double(days.crashed) / (Double(days.total) * budget.allowance)
            coarse.remaining.share = (left < 0) == isOverspent ? left : 0
        }
        return coarse
    }
}
