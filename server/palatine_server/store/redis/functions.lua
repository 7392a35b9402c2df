#!lua name=palatine_VERSION

-- What Redis does for a table atomically. The keys of a table are in one slot, and are passed in this order:
--   {table:…}           a hash: version, chain (the hash of all entries up to it), summary, the request that made it, and
--                       the newest snapshot with its seal; for each request that made an entry, under '["user","id"]',
--                       the entry's version and a hash; `requests`, if all requests are there
--   {table:…}:log       a stream: entry n has the id n-0 and the hash of the chain up to it
--   {table:…}:replies   a hash that nodes of 0.1.0 made: for each request its hash and the reply, in msgpack
-- VERSION is a hash of this file: other code has other names, so that old and new nodes can work side by side.
-- Nodes of 0.1.0 would not find a request that a newer node carried out, and they check no format. They keep the chain
-- in the field `head`. The first append of a newer node removes that field, and from then on they can neither load the
-- table nor append to it: they answer `try_again`.

local FIELDS = {'version', 'chain', 'snapshot_version', 'snapshot_head', 'snapshot_seal', 'snapshot', 'head'}

-- Milliseconds since 1970.
local function now()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

local function expire_together(keys, keep, ...)
  local at = string.format('%.0f', now() + keep)
  for _, key in ipairs(keys) do
    redis.call('PEXPIREAT', key, at, ...)
  end
end

-- The same, unless they have nearly as much time left; the newest key has no time to live yet.
local function keep_together(keys, newest, keep)
  local left = redis.call('PTTL', newest)
  if left < 0.995 * keep or left > keep then
    expire_together(keys, keep)
  end
end

-- Create a table once; return the request that created it, its version and its summary.
local function create(keys, given)
  local request, head, seal, snapshot, summary, keep = unpack(given)
  if redis.call('EXISTS', keys[1]) == 0 then
    redis.call('HSET', keys[1], 'request', request, 'requests', 1, 'version', 0, 'chain', head, 'summary', summary,
      'snapshot_version', 0, 'snapshot_head', head, 'snapshot_seal', seal, 'snapshot', snapshot)
    expire_together(keys, keep)
  end
  return redis.call('HMGET', keys[1], 'request', 'version', 'summary')
end

-- Return the version of the first entry that contains these bytes.
local function find_entry(log, bytes)
  for _, row in ipairs(redis.call('XRANGE', log, '-', '+')) do
    if string.find(row[2][2], bytes, 1, true) then
      return (string.match(row[1], '^%d+'))
    end
  end
end

-- Return what an older node has stored of a request, in the new form. A reply without a version is an invitation.
local function find_reply(hash, log, request)
  local known = redis.call('HGET', hash .. ':replies', request)
  if not known then
    return false
  end
  local size = string.byte(known, 3) -- an array of two: bytes, shorter than 256, and bytes
  local digest, kind = string.sub(known, 4, 3 + size), string.byte(known, 4 + size)
  local reply = cmsgpack.unpack(string.sub(known, kind == 0xc4 and 6 + size or 7 + size))
  local version = reply['version'] or reply['invitation'] and find_entry(log, reply['invitation']) or 0
  return version .. ' ' .. digest
end

-- Return the version of the entry that a request made, and the hash of the request.
local function find(keys, given)
  local known, is_complete = unpack(redis.call('HMGET', keys[1], given[1], 'requests'))
  return known or not is_complete and find_reply(keys[1], keys[2], given[1])
end

-- Append one entry, if the request is new and the log ends at the expected head. Its arguments begin at `at`:
-- the version and the head before, the version and the head after, the entry, the request and what is stored of it; then
-- '+' and four more, or an empty string: for how long the table is kept, its summary, its snapshot and the seal of that.
local function append_one(hash, log, given, at)
  local request, next_head = given[at + 5], given[at + 3]
  local now = redis.call('HMGET', hash, 'version', 'chain', request, 'requests')
  if not now[1] then
    return 0
  end
  local old_head = not now[2] and redis.call('HGET', hash, 'head')
  local head = now[2] or old_head
  local known = now[3] or not now[4] and request ~= '' and find_reply(hash, log, request)
  if known then
    return {'duplicate', known}
  end
  if now[1] ~= given[at] or head ~= given[at + 1] then
    return {'stale', now[1], head}
  end
  local version = given[at + 2]
  redis.call('XADD', log, version, 'entry', given[at + 4], 'head', next_head)
  if request ~= '' then
    redis.call('HSET', hash, 'version', version, 'chain', next_head, request, given[at + 6])
  else
    redis.call('HSET', hash, 'version', version, 'chain', next_head)
  end
  if old_head then
    redis.call('HDEL', hash, 'head')
  end
  if given[at + 7] ~= '' then
    local keep, summary, seal, snapshot = unpack(given, at + 8, at + 11)
    if summary ~= '' then
      redis.call('HSET', hash, 'summary', summary)
    end
    if seal ~= '' then
      redis.call('HSET', hash, 'snapshot_version', version, 'snapshot_head', next_head, 'snapshot_seal', seal,
        'snapshot', snapshot)
    end
    if keep ~= '' then
      keep_together({hash, log, hash .. ':replies'}, log, tonumber(keep))
    end
  end
  return 1
end

-- Append to many tables; each passes its first two keys. Return the number of appends if all are committed, otherwise
-- the outcome of each. An error concerns one table alone: before the entry is in the log nothing has changed, and then nothing fails.
local function append(keys, given)
  local outcomes, committed, at = {}, 0, 1
  for number = 1, #keys, 2 do
    local is_done, outcome = pcall(append_one, keys[number], keys[number + 1], given, at)
    if outcome == 1 then
      committed = committed + 1
    elseif not is_done then
      outcome = {'error', type(outcome) == 'table' and outcome['err'] or tostring(outcome)}
    end
    outcomes[#outcomes + 1] = outcome
    at = at + (given[at + 7] == '' and 8 or 12)
  end
  return committed == #outcomes and committed or outcomes
end

-- Restart the time to live of a table that is in use. It never gets shorter, because the caller may be behind.
local function touch(keys, given)
  expire_together(keys, given[1], 'GT')
end

-- Return the newest snapshot and the entries after it.
local function load(keys)
  if redis.call('EXISTS', keys[1]) == 0 then
    return false
  end
  local found = redis.call('HMGET', keys[1], unpack(FIELDS))
  local old_head = table.remove(found)
  found[2] = found[2] or old_head
  return {found, redis.call('XRANGE', keys[2], '(' .. (found[3] or 0) .. '-0', '+')}
end

-- Return the same fields of many tables; nothing for a key that is not a table.
local function peek(keys, fields)
  local found = {}
  for number, key in ipairs(keys) do
    local values = redis.pcall('HMGET', key, unpack(fields))
    found[number] = values['err'] and {} or values
  end
  return found
end

-- The index. Keys: which tables are open to all, which are due, the version each was entered with; then sets of tables
-- by user, first those of members, then those of former members. A row older than the index is ignored.
local function enter(keys, given)
  local id, version, created, deadline, is_open, members, keep = unpack(given)
  if tonumber(redis.call('HGET', keys[3], id) or -1) > tonumber(version) then
    return 0
  end
  redis.call('HSET', keys[3], id, version)
  if is_open == '1' then
    redis.call('ZADD', keys[1], created, id)
  else
    redis.call('ZREM', keys[1], id)
  end
  if deadline ~= '' then
    redis.call('ZADD', keys[2], deadline, id)
  else
    redis.call('ZREM', keys[2], id)
  end
  for number = 4, 3 + members do
    redis.call('ZADD', keys[number], created, id)
    if redis.call('PTTL', keys[number]) < tonumber(keep) then
      redis.call('PEXPIRE', keys[number], keep)
    end
  end
  for number = 4 + members, #keys do
    redis.call('ZREM', keys[number], id)
  end
  return 1
end

-- Remove tables from the index.
local function strike(keys, ids)
  for _, id in ipairs(ids) do
    for number, key in ipairs(keys) do
      redis.call(number == 3 and 'HDEL' or 'ZREM', key, id)
    end
  end
  return #ids
end

-- Revoke a user or a token. Expired revocations are removed, and in the end the key expires.
local function revoke(keys, given)
  local subject, till = unpack(given)
  redis.call('ZADD', keys[1], 'GT', till, subject)
  redis.call('ZREMRANGEBYSCORE', keys[1], '-inf', string.format('%.0f', now()))
  local last = redis.call('ZRANGE', keys[1], -1, -1, 'WITHSCORES')
  if last[2] then
    redis.call('PEXPIREAT', keys[1], string.format('%.0f', last[2]))
  end
end

-- Record that a node runs, and return the total downtime. A jump of the time counts as downtime. No node has recorded
-- the jump yet if the last record is at least as old as the jump is long.
local function alive(keys, given)
  local moment, patience, jump, known = tonumber(given[1]), tonumber(given[2]), tonumber(given[3]), tonumber(given[4])
  local seen = tonumber(redis.call('HGET', keys[1], 'seen') or moment)
  local closed = tonumber(redis.call('HGET', keys[1], 'closed') or 0)
  if jump < 0 then -- the time went back: one millisecond reveals the nodes that do not know of it
    seen, closed = moment, closed + 1
  elseif moment - seen > patience then
    closed = closed + moment - seen
  elseif moment - seen >= jump then
    closed = closed + jump
  else -- other nodes have recorded a part of it
    closed = math.max(closed, known + jump)
  end
  redis.call('HSET', keys[1], 'seen', string.format('%.0f', math.max(moment, seen)), 'closed', string.format('%.0f', closed))
  return closed
end

-- Replace a document, if it still is what the caller expects; an empty string expects that there is none.
local function replace(keys, given)
  local expected, content = unpack(given)
  if (redis.call('GET', keys[1]) or '') ~= expected then
    return 0
  end
  redis.call('SET', keys[1], content)
  return 1
end

redis.register_function('palatine_replace_VERSION', replace)
redis.register_function('palatine_create_VERSION', create)
redis.register_function('palatine_append_VERSION', append)
redis.register_function('palatine_touch_VERSION', touch)
redis.register_function{function_name = 'palatine_load_VERSION', callback = load, flags = {'no-writes'}}
redis.register_function{function_name = 'palatine_find_VERSION', callback = find, flags = {'no-writes'}}
redis.register_function{function_name = 'palatine_peek_VERSION', callback = peek, flags = {'no-writes'}}
redis.register_function('palatine_enter_VERSION', enter)
redis.register_function('palatine_strike_VERSION', strike)
redis.register_function('palatine_revoke_VERSION', revoke)
redis.register_function('palatine_alive_VERSION', alive)
