// Runs requests through libmodsecurity 3 and prints the CPU time they took.
//   cc -O2 modsecurity.c -lmodsecurity -o modsecurity && ./modsecurity rules.conf requests.bin
// Requests are read once; each line "first last" on stdin runs that range and answers "cpu_ns interventions".
// requests.bin, all numbers 32-bit little-endian: count, then for each: method, target, version as length-prefixed
// bytes, header count, names and values likewise, body likewise.
#include <modsecurity/modsecurity.h>
#include <modsecurity/rules_set.h>
#include <modsecurity/transaction.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static unsigned char *bytes;
static size_t position;

static uint32_t number(void) {
  uint32_t value;
  memcpy(&value, bytes + position, 4);
  position += 4;
  return value;
}

struct text {
  char *at;
  uint32_t length;
};

static struct text text(void) {
  struct text found;
  found.length = number();
  found.at = malloc(found.length + 1);
  memcpy(found.at, bytes + position, found.length);
  found.at[found.length] = 0;
  position += found.length;
  return found;
}

struct request {
  struct text method, target, version, body;
  uint32_t headers;
  struct text *names, *values;
};

static void quiet(void *data, const void *message) {
  (void)data;
  (void)message;
}

static int run(ModSecurity *engine, RulesSet *rules, struct request *request) {
  Transaction *transaction = msc_new_transaction(engine, rules, NULL);
  ModSecurityIntervention intervention = {200, 0, NULL, NULL, 0};
  msc_process_connection(transaction, "192.0.2.1", 40000, "192.0.2.2", 80);
  msc_process_uri(transaction, request->target.at, request->method.at, request->version.at);
  for (uint32_t index = 0; index < request->headers; index++) {
    msc_add_n_request_header(transaction, (unsigned char *)request->names[index].at, request->names[index].length,
                             (unsigned char *)request->values[index].at, request->values[index].length);
  }
  msc_process_request_headers(transaction);
  if (request->body.length > 0) msc_append_request_body(transaction, (unsigned char *)request->body.at, request->body.length);
  msc_process_request_body(transaction);
  int intervened = msc_intervention(transaction, &intervention);
  msc_process_logging(transaction);
  msc_transaction_cleanup(transaction);
  return intervened;
}

static int64_t cpu(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int main(int count, char **arguments) {
  if (count != 3) return 2;
  FILE *file = fopen(arguments[2], "rb");
  if (!file) return 2;
  fseek(file, 0, SEEK_END);
  size_t size = ftell(file);
  rewind(file);
  bytes = malloc(size);
  if (fread(bytes, 1, size, file) != size) return 2;
  uint32_t total = number();
  struct request *requests = calloc(total, sizeof *requests);
  for (uint32_t index = 0; index < total; index++) {
    struct request *request = requests + index;
    request->method = text();
    request->target = text();
    request->version = text();
    request->headers = number();
    request->names = calloc(request->headers, sizeof(struct text));
    request->values = calloc(request->headers, sizeof(struct text));
    for (uint32_t header = 0; header < request->headers; header++) {
      request->names[header] = text();
      request->values[header] = text();
    }
    request->body = text();
  }
  ModSecurity *engine = msc_init();
  msc_set_log_cb(engine, quiet);
  RulesSet *rules = msc_create_rules_set();
  const char *error = NULL;
  if (msc_rules_add_file(rules, arguments[1], &error) < 0) {
    fprintf(stderr, "%s\n", error ? error : "rules refused");
    return 1;
  }
  unsigned first, last;
  printf("ready\n");
  fflush(stdout);
  while (scanf("%u %u", &first, &last) == 2) {
    int interventions = 0;
    int64_t start = cpu();
    for (unsigned index = first; index < last && index < total; index++) interventions += run(engine, rules, requests + index);
    printf("%lld %d\n", (long long)(cpu() - start), interventions);
    fflush(stdout);
  }
  return 0;
}
