// The subjects that come with conpole, one per file of this folder. subjects.cc has the table of them.
#pragma once

#include "subjects/subject.h"

namespace conpole {

const Subject& AlgebraSubject();
const Subject& EquationsSubject();
const Subject& FractionsSubject();
const Subject& MultiplicationSubject();
const Subject& RubiksCubeSubject();
const Subject& SortingSubject();
const Subject& TernaryAdditionSubject();

// Of a domain file, which keeps it.
const Subject& SubjectOfFile(const DomainFile& file);

}  // namespace conpole
