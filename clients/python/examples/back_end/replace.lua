-- Writes a match if it is still at the expected revision and has no such request. Redis runs a script alone: nothing
-- comes between the comparison and the writes. All that could refuse stands before the first write.
local match, requests, moves, events = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local expected, revision, state, players, request, receipt, ttl, move_count = unpack(ARGV, 1, 8)

local current = redis.call('HGET', match, 'revision') or 'none'
if current ~= expected or redis.call('HEXISTS', requests, request) == 1 then
  return 0
end

redis.call('HSET', match, 'revision', revision, 'state', state, 'players', players)
redis.call('HSET', requests, request, receipt)
local at = 9
for number = 1, tonumber(move_count) do
  redis.call('XADD', moves, ARGV[at], 'move', ARGV[at + 1])
  at = at + 2
end
while at <= #ARGV do -- an event: its id, then what each viewer is told
  local entry = {}
  for viewer = 0, tonumber(players) do
    entry[#entry + 1] = tostring(viewer)
    entry[#entry + 1] = ARGV[at + 1 + viewer]
  end
  redis.call('XADD', events, ARGV[at], unpack(entry))
  at = at + 2 + tonumber(players)
end
if ttl ~= '0' then
  for _, key in ipairs(KEYS) do
    redis.call('EXPIRE', key, ttl)
  end
end
return 1
