import AppHealth

extension AppPlan {
    /// The share of the users of each release on the day, in the order of the releases; the sum is 1.
    ///
    /// From the newest release back, each takes its part of what the newer ones left; the oldest takes all.
    func releaseShares(on date: CivilDate) -> [Double] {
        var shares = [Double](repeating: 0, count: releases.count)
        var rest = 1.0
        for position in releases.indices.reversed() {
            let taken = position == 0 ? 1 : releases[position].adoption(on: date)
            shares[position] = rest * taken
            rest -= shares[position]
        }
        return shares
    }
}

extension ReleasePlan {
    /// The share of the users of this release and older ones that runs it on the day.
    func adoption(on date: CivilDate) -> Double {
        guard let age = age(on: date) else { return 0 }
        // The release goes out in the morning: its first day is about a third of a day.
        let time = Double(age) + 0.35
        return ceiling * time * time / (time * time + halfway * halfway)
    }

    /// Whole days since it went out; nil before.
    func age(on date: CivilDate) -> Int? {
        let age = releasedAt.date.days(to: date)
        return age >= 0 ? age : nil
    }
}
