// What pupils did with a set, for the teacher: per pupil and exercise, as JSON and as CSV. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "classroom/store.h"
#include "service/request.h"

namespace conpole {

// {"title", "language", "hints", "made", "until", "exercises", "pupils": [{"name", "work": [{"exercise", "solved", "lines",
// "hints", "solutions", "mistakes", "seconds"}]}]}; exercises count from 1, times are UTC.
ServiceJson ResultsToJson(const KeptSet& set, const std::vector<KeptWork>& work);

// A header and a row for every pupil and exercise, also those that were not begun. No cell begins as a formula of a
// spreadsheet.
std::string ResultsToCsv(const KeptSet& set, const std::vector<KeptWork>& work);

// What one pupil has done so far: an entry of "work" for every exercise that was begun.
ServiceJson WorkToJson(const std::vector<KeptEvent>& events);

// 2026-01-31T12:00:00Z
std::string TimeText(Seconds time);

}  // namespace conpole
