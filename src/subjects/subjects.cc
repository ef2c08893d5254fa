#include "subjects/subjects.h"

namespace conpole {

// In the order of the tour. Of two clues that are equally telling, the first one wins.
const std::vector<const Subject*>& Subjects() {
  static const std::vector<const Subject*> subjects{&AlgebraSubject(),        &EquationsSubject(), &FractionsSubject(),
                                                    &MultiplicationSubject(), &SortingSubject(),   &TernaryAdditionSubject(),
                                                    &RubiksCubeSubject()};
  return subjects;
}

}  // namespace conpole
