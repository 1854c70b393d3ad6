import type { BucketCharge } from '@portcullis/contract/link';
import { type Asking, leaseMs } from './token-leases.ts';

/**
 * The same arithmetic as a gateway's own buckets (gateway/src/limits/token-buckets), by the server's clock, and leases.
 * For each key one argument of nine numbers: its {@link Part}, capacity, window, refill in seconds, whether
 * it is the last charge where it has no token; and four of {@link Asking}. For each key five numbers come back: 1 or 0 for
 * allowed or not, -1 for not charged; parts; milliseconds since the last credit; tokens leased; the span they are of.
 *
 * A lease may be spent for {@link leaseMs}, so it counts in the span of that length in which it was given and in the next
 * one, but for what was spent or came back. So long as it counts the bucket does not fill beyond what leaves it room: what is there and what is leased are never
 * more than the capacity together. Of a bucket an eighth at most is leased, and none of its last quarter.
 * A bucket is forgotten once it is full again and nothing of it is leased.
 */
export const bucketScript = `
local span = ${leaseMs}
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local this = math.floor(now / span)
local states = {}
local over = false
for i, key in ipairs(KEYS) do
  local part, capacity, window, refill, last, wanted, spent, back, of =
    string.match(ARGV[i], '^(%d) (%d+) (%d+) (%d+) (%d) (%d+) (%d+) (%d+) (%d+)$')
  if part ~= '0' then over = false end
  local allowed, parts, ago, leased = -1, 0, 0, 0
  spent, back, of = tonumber(spent), tonumber(back), tonumber(of)
  if not over then
    capacity, window, refill, wanted = tonumber(capacity), tonumber(window), tonumber(refill), tonumber(wanted)
    local full, credit = capacity * window, capacity * refill
    local credited, out, before = now, 0, 0
    parts = full
    local held = redis.call('GET', key)
    if held then
      local p, c, s, o, b = string.match(held, '^(%d+) (%d+) (%d+) (%d+) (%d+)$')
      parts, credited = tonumber(p), tonumber(c)
      local ago = this - tonumber(s)
      if ago <= 0 then out, before = tonumber(o), tonumber(b)
      elseif ago == 1 then before = tonumber(o) end
      if of == this then out = math.max(0, out - spent - back)
      elseif of == this - 1 then before = math.max(0, before - spent - back) end
      local room = full - (out + before) * window
      parts = math.max(parts, math.min(room, parts + back * window))
      local intervals = math.floor((now - credited) / (refill * 1000))
      if intervals > 0 then
        credited = credited + intervals * refill * 1000
        parts = math.max(parts, math.min(room, parts + intervals * credit))
      end
    end
    allowed = 0
    if part == '2' then allowed = 1
    elseif parts >= window then
      allowed = 1
      parts = parts - window
    end
    if wanted > 0 then
      local most = math.floor(capacity / 8) - out - before
      local spare = math.floor(parts / window) - math.ceil(capacity / 4)
      leased = math.max(0, math.min(wanted, most, spare))
      parts, out = parts - leased * window, out + leased
    end
    ago = now - credited
    local left = math.ceil((full - parts) / credit) * refill * 1000 - ago
    if out + before > 0 then left = math.max(left, 2 * span) end
    redis.call('SET', key, string.format('%.0f %.0f %.0f %.0f %.0f', parts, credited, this, out, before), 'PX', math.max(1, left))
    if allowed == 0 and last == '1' then over = true end
  end
  local to = (i - 1) * 5
  states[to + 1], states[to + 2], states[to + 3], states[to + 4], states[to + 5] = allowed, parts, ago, leased, this
end
return states`;

/** What a charge is of the request that it belongs to; of none where tokens are leased ahead and none is spent. */
export type Part = 'goes on' | 'begins' | 'leases';
const numberOf: Record<Part, number> = { 'goes on': 0, begins: 1, leases: 2 };

/** @returns the argument that stands for a charge */
export function argumentOf(
  { capacity, window, refillInterval, last }: BucketCharge,
  part: Part,
  { wanted, spent, back, span }: Asking,
): string {
  return `${numberOf[part]} ${capacity} ${window} ${refillInterval} ${last ? 1 : 0} ${wanted} ${spent} ${back} ${span}`;
}
