// rigorbench-canary 74a1702a-6ecf-460f-ad58-eec864a688ab
/* Reads commands, has them done, prints the answers. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pages.h"
#include "register.h"

enum { SHOWN = 50, WORD = 32 };

static uint32_t number(void) {
    uint32_t value;
    if (scanf("%" SCNu32, &value) != 1) fail("a number is missing");
    return value;
}

static void word(char *to) {
    if (scanf("%31s", to) != 1) fail("a word is missing");
}

static void say(enum result result) {
    static const char *const answers[] = {"ok", "error none", "error taken", "error short"};
    puts(answers[result]);
}

static void cores(void) {
    static char names[400][NAME + 1];
    size_t count = 0;
    char core[NAME + 1] = "";
    while (register_next(core)) {
        if (count == sizeof names / sizeof *names) fail("too many cores");
        memcpy(names[count++], core, sizeof core);
    }
    printf("cores %zu\n", count);
    for (size_t i = 0; i < count; i++) {
        const struct sum sum = register_weigh(names[i], 0, 0xffffffff);
        printf("%s %" PRIu32 " %" PRIu64 "\n", names[i], sum.count, sum.total);
    }
}

static void find(void) {
    static struct mark marks[SHOWN];
    char prefix[WORD];
    word(prefix);
    const uint32_t most = number(), count = register_find(prefix, most < SHOWN ? most : SHOWN, marks);
    printf("found %" PRIu32 "\n", count);
    for (uint32_t i = 0; i < most && i < count; i++) printf("%s %s %" PRIu32 "\n", marks[i].tag, marks[i].core, marks[i].depth);
}

static void answer(const char *command) {
    char core[WORD], text[WORD];
    if (strcmp(command, "cores") == 0) {
        cores();
        return;
    }
    if (strcmp(command, "find") == 0) {
        find();
        return;
    }
    word(core);
    if (strcmp(command, "rename") == 0) {
        word(text);
        say(register_rename(core, text));
        return;
    }
    const uint32_t depth = number();
    if (strcmp(command, "add") == 0) {
        const uint32_t grams = number();
        word(text);
        say(register_add(core, depth, grams, text));
    } else if (strcmp(command, "saw") == 0) {
        const uint32_t count = number();
        word(text);
        printf("sawn %" PRIu32 "\n", register_saw(core, depth, count, text));
    } else if (strcmp(command, "take") == 0) {
        uint32_t grams = number();
        const enum result result = register_take(core, depth, &grams);
        if (result == OK) printf("left %" PRIu32 "\n", grams);
        else say(result);
    } else if (strcmp(command, "tag") == 0) {
        word(text);
        say(register_tag(core, depth, text));
    } else if (strcmp(command, "show") == 0) {
        struct sample sample;
        if (register_show(core, depth, &sample) == OK) printf("%" PRIu32 " %s\n", sample.grams, sample.tag);
        else say(NONE);
    } else if (strcmp(command, "melt") == 0) {
        const struct sum sum = register_melt(core, depth, number());
        printf("melted %" PRIu32 " %" PRIu64 "\n", sum.count, sum.total);
    } else if (strcmp(command, "weigh") == 0) {
        const struct sum sum = register_weigh(core, depth, number());
        printf("%" PRIu32 " %" PRIu64 "\n", sum.count, sum.total);
    } else if (strcmp(command, "heaviest") == 0) {
        const struct sum sum = register_weigh(core, depth, number());
        if (sum.count > 0) printf("%" PRIu32 " %" PRIu32 "\n", sum.depth, sum.most);
        else say(NONE);
    } else {
        fail("no such command");
    }
}

int main(void) {
    char command[WORD];
    pages_open("register.db");
    while (scanf("%31s", command) == 1) answer(command);
    pages_close();
    if (fflush(stdout) != 0) fail("the answers cannot be written");
    return 0;
}
