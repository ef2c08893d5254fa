// One connection, and one thread at a time: statements take microseconds, and a commit waits for the disk anyway. The journal
// is a write-ahead log, synced at every commit, so that neither a crash of this program nor one of the machine loses what was
// said to be kept.
#include <sqlite3.h>
#include <sys/stat.h>

#include <filesystem>
#include <mutex>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "classroom/store.h"
#include "conpole/error.h"
#include "util/text.h"

namespace conpole {
namespace {

constexpr const char* kTables = R"sql(
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  PRAGMA secure_delete = ON;
  CREATE TABLE IF NOT EXISTS sets (
    id INTEGER PRIMARY KEY, pupils_key TEXT NOT NULL UNIQUE, results_key TEXT NOT NULL UNIQUE, title TEXT NOT NULL,
    language TEXT NOT NULL, hints INTEGER NOT NULL, exercises TEXT NOT NULL, made INTEGER NOT NULL, until INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS pupils (
    id INTEGER PRIMARY KEY, set_id INTEGER NOT NULL REFERENCES sets(id) ON DELETE CASCADE, code TEXT NOT NULL,
    name TEXT NOT NULL, joined INTEGER NOT NULL, UNIQUE (set_id, name), UNIQUE (set_id, code));
  CREATE TABLE IF NOT EXISTS events (
    pupil_id INTEGER NOT NULL REFERENCES pupils(id) ON DELETE CASCADE, number INTEGER NOT NULL, exercise INTEGER NOT NULL,
    kind TEXT NOT NULL, line TEXT NOT NULL, verdict TEXT NOT NULL, correct INTEGER NOT NULL, mistake TEXT NOT NULL,
    seconds INTEGER NOT NULL, time INTEGER NOT NULL, PRIMARY KEY (pupil_id, number)) WITHOUT ROWID;
  PRAGMA user_version = 1;
)sql";

constexpr int kBusyMilliseconds = 10'000;

class Statement {
 public:
  template <class... Values>
  Statement(sqlite3* database, std::string_view sql, const Values&... values) : database_(database) {
    Require(sqlite3_prepare_v2(database_, sql.data(), static_cast<int>(sql.size()), &statement_, nullptr) == SQLITE_OK);
    (Bind(values), ...);
  }
  ~Statement() { sqlite3_finalize(statement_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  // Whether there is a row.
  bool Step() {
    const int result = sqlite3_step(statement_);
    Require(result == SQLITE_ROW || result == SQLITE_DONE);
    return result == SQLITE_ROW;
  }
  // False if that would break a rule of the tables.
  bool TryRun() {
    const int result = sqlite3_step(statement_);
    if (result == SQLITE_CONSTRAINT) return false;
    Require(result == SQLITE_DONE);
    return true;
  }
  std::int64_t Number(int column) const { return sqlite3_column_int64(statement_, column); }
  std::string Text(int column) const {
    const auto* const text = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
    return text == nullptr ? std::string()
                           : std::string(text, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column)));
  }

 private:
  void Bind(std::int64_t value) { Require(sqlite3_bind_int64(statement_, ++bound_, value) == SQLITE_OK); }
  void Bind(const std::string& value) {
    const int size = static_cast<int>(value.size());
    Require(sqlite3_bind_text(statement_, ++bound_, value.data(), size, nullptr) == SQLITE_OK);  // it outlives the statement
  }
  void Require(bool condition) const {
    if (!condition) throw Error(fmt::format("the database of results says: {}", sqlite3_errmsg(database_)));
  }

  sqlite3* database_;
  sqlite3_stmt* statement_ = nullptr;
  int bound_ = 0;
};

class SqliteStore final : public ClassStore {
 public:
  explicit SqliteStore(const std::string& folder) {
    std::error_code failure;
    std::filesystem::create_directories(folder, failure);
    const std::string path = (std::filesystem::path(folder) / "classroom.sqlite").string();
    // Results are for those who run the server, and for nobody else on the machine.
    const mode_t before = umask(077);
    const int opened = sqlite3_open_v2(path.c_str(), &database_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
    const bool is_made = opened == SQLITE_OK && sqlite3_busy_timeout(database_, kBusyMilliseconds) == SQLITE_OK &&
                         sqlite3_exec(database_, kTables, nullptr, nullptr, nullptr) == SQLITE_OK;
    umask(before);
    if (is_made) return;
    const std::string reason = database_ == nullptr ? "out of memory" : sqlite3_errmsg(database_);
    sqlite3_close(database_);
    throw Error(fmt::format("cannot keep results in {}: {}", Shown(path), reason));
  }
  ~SqliteStore() override { sqlite3_close(database_); }
  SqliteStore(const SqliteStore&) = delete;
  SqliteStore& operator=(const SqliteStore&) = delete;

  std::size_t CountSets() override {
    const std::lock_guard lock(mutex_);
    return Count("SELECT count(*) FROM sets");
  }

  void AddSet(const KeptSet& set) override {
    const std::lock_guard lock(mutex_);
    Make("INSERT INTO sets (pupils_key, results_key, title, language, hints, exercises, made, until) VALUES (?,?,?,?,?,?,?,?)",
         set.pupils_key, set.results_key, set.title, set.language, std::int64_t{set.hints}, set.exercises, set.made, set.until)
        .Step();
  }

  std::optional<KeptSet> FindByPupilsKey(const std::string& key) override { return FindSet("pupils_key", key); }
  std::optional<KeptSet> FindByResultsKey(const std::string& key) override { return FindSet("results_key", key); }

  Joined AddPupil(std::int64_t set, const KeptPupil& pupil, Seconds now, std::size_t most) override {
    const std::lock_guard lock(mutex_);
    if (Count("SELECT count(*) FROM pupils WHERE set_id = ?", set) >= most) return Joined::kTooMany;
    const bool is_new =
        Make("INSERT INTO pupils (set_id, code, name, joined) VALUES (?,?,?,?)", set, pupil.code, pupil.name, now).TryRun();
    return is_new ? Joined::kYes : Joined::kNameTaken;
  }

  std::optional<KeptPupil> FindPupil(std::int64_t set, const std::string& code) override {
    const std::lock_guard lock(mutex_);
    Statement found = Make("SELECT id, code, name FROM pupils WHERE set_id = ? AND code = ?", set, code);
    if (!found.Step()) return std::nullopt;
    return PupilOf(found);
  }

  bool AddEvent(std::int64_t pupil, const KeptEvent& event, std::size_t most) override {
    const std::lock_guard lock(mutex_);
    if (Count("SELECT count(*) FROM events WHERE pupil_id = ?", pupil) >= most) return false;
    Make("INSERT OR IGNORE INTO events VALUES (?,?,?,?,?,?,?,?,?,?)", pupil, static_cast<std::int64_t>(event.number),
         static_cast<std::int64_t>(event.exercise), event.kind, event.line, event.verdict, std::int64_t{event.correct},
         event.mistake, static_cast<std::int64_t>(event.seconds), event.time)
        .Step();
    return true;
  }

  std::optional<KeptEvent> FindEvent(std::int64_t pupil, std::uint64_t number) override {
    const std::lock_guard lock(mutex_);
    Statement found = Make("SELECT * FROM events WHERE pupil_id = ? AND number = ?", pupil, static_cast<std::int64_t>(number));
    if (!found.Step()) return std::nullopt;
    return EventOf(found);
  }

  std::vector<KeptEvent> EventsOf(std::int64_t pupil) override {
    const std::lock_guard lock(mutex_);
    return ReadEvents(pupil);
  }

  std::vector<KeptWork> WorkOf(std::int64_t set) override {
    const std::lock_guard lock(mutex_);
    std::vector<KeptWork> all;
    Statement pupils = Make("SELECT id, code, name FROM pupils WHERE set_id = ? ORDER BY id", set);
    while (pupils.Step()) all.push_back({PupilOf(pupils), {}});
    for (KeptWork& work : all) work.events = ReadEvents(work.pupil.id);
    return all;
  }

  void DeleteSet(std::int64_t set) override {
    const std::lock_guard lock(mutex_);
    Make("DELETE FROM sets WHERE id = ?", set).Step();
    Empty();
  }

  bool DeletePupil(std::int64_t set, const std::string& name) override {
    const std::lock_guard lock(mutex_);
    Make("DELETE FROM pupils WHERE set_id = ? AND name = ?", set, name).Step();
    const bool was_there = sqlite3_changes(database_) > 0;
    Empty();
    return was_there;
  }

  void DeleteOld(Seconds now) override {
    const std::lock_guard lock(mutex_);
    Make("DELETE FROM sets WHERE until <= ?", now).Step();
    if (sqlite3_changes(database_) > 0) Empty();
  }

 private:
  template <class... Values>
  Statement Make(std::string_view sql, const Values&... values) {
    return Statement(database_, sql, values...);
  }
  template <class... Values>
  std::size_t Count(std::string_view sql, const Values&... values) {
    Statement counted = Make(sql, values...);
    counted.Step();
    return static_cast<std::size_t>(counted.Number(0));
  }

  std::optional<KeptSet> FindSet(std::string_view column, const std::string& key) {
    const std::lock_guard lock(mutex_);
    Statement found = Make(fmt::format("SELECT id, pupils_key, results_key, title, language, hints, exercises, made, until "
                                       "FROM sets WHERE {} = ?",
                                       column),
                           key);
    if (!found.Step()) return std::nullopt;
    return KeptSet{.id = found.Number(0),
                   .pupils_key = found.Text(1),
                   .results_key = found.Text(2),
                   .title = found.Text(3),
                   .language = found.Text(4),
                   .hints = found.Number(5) != 0,
                   .exercises = found.Text(6),
                   .made = found.Number(7),
                   .until = found.Number(8)};
  }
  static KeptPupil PupilOf(const Statement& row) { return {row.Number(0), row.Text(1), row.Text(2)}; }
  static KeptEvent EventOf(const Statement& row) {
    return {.number = static_cast<std::uint64_t>(row.Number(1)),
            .exercise = static_cast<std::size_t>(row.Number(2)),
            .kind = row.Text(3),
            .line = row.Text(4),
            .verdict = row.Text(5),
            .correct = row.Number(6) != 0,
            .mistake = row.Text(7),
            .seconds = static_cast<std::uint64_t>(row.Number(8)),
            .time = row.Number(9)};
  }
  std::vector<KeptEvent> ReadEvents(std::int64_t pupil) {
    std::vector<KeptEvent> events;
    Statement rows = Make("SELECT * FROM events WHERE pupil_id = ? ORDER BY number", pupil);
    while (rows.Step()) events.push_back(EventOf(rows));
    return events;
  }
  // What was deleted is not left in the log either.
  void Empty() { sqlite3_wal_checkpoint_v2(database_, nullptr, SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr); }

  std::mutex mutex_;
  sqlite3* database_ = nullptr;
};

}  // namespace

std::unique_ptr<ClassStore> OpenClassStore(const std::string& folder) { return std::make_unique<SqliteStore>(folder); }

}  // namespace conpole
