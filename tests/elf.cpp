// elf_test FILE...: that no program built here asks for an executable stack, for writable code, or for
// relocations in its code, which a W^X-restricted process would refuse.
#include <elf.h>
#include <link.h>

#include <cstddef>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

class elf_file {
 public:
  explicit elf_file(const char* path) {
    std::ifstream in(path, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(in), {});
  }

  template <class Record>
  [[nodiscard]] Record at(std::size_t offset) const {
    Record record{};
    if (offset + sizeof record <= bytes_.size()) std::memcpy(&record, bytes_.data() + offset, sizeof record);
    return record;
  }

 private:
  std::vector<char> bytes_;
};

// What is wrong with a program, or "".
std::string complaint(const elf_file& file) {
  const auto header = file.at<ElfW(Ehdr)>(0);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return "not an ELF file";
  bool has_stack = false;
  for (std::size_t i = 0; i < header.e_phnum; ++i) {
    const auto segment = file.at<ElfW(Phdr)>(header.e_phoff + i * sizeof(ElfW(Phdr)));
    if (segment.p_type == PT_GNU_STACK) {
      has_stack = true;
      if (segment.p_flags != (PF_R | PF_W)) return "GNU_STACK is not RW";
    }
    if (segment.p_type == PT_LOAD && (segment.p_flags & PF_W) && (segment.p_flags & PF_X))
      return "a segment is writable and executable";
    if (segment.p_type != PT_DYNAMIC) continue;
    for (std::size_t offset = 0; offset < segment.p_filesz; offset += sizeof(ElfW(Dyn))) {
      const auto entry = file.at<ElfW(Dyn)>(segment.p_offset + offset);
      if (entry.d_tag == DT_NULL) break;
      if (entry.d_tag == DT_TEXTREL || (entry.d_tag == DT_FLAGS && (entry.d_un.d_val & DF_TEXTREL)))
        return "TEXTREL";
    }
  }
  return has_stack ? "" : "no GNU_STACK";
}

}  // namespace

int main(int argc, char** argv) {
  int wrong = argc < 2;
  for (int i = 1; i < argc; ++i) {
    const std::string found = complaint(elf_file(argv[i]));
    std::printf("%s: %s\n", argv[i], found.empty() ? "ok" : found.c_str());
    wrong |= !found.empty();
  }
  return wrong;
}
