// By itself: the commit is another one in each build, and nothing else is compiled again for it.
#include "python/src/version.h"

namespace conpole::python {

const char* const kVersion = CONPOLE_VERSION;
const char* const kCommit = CONPOLE_COMMIT;

}  // namespace conpole::python
