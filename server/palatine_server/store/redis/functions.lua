#!lua name=palatine_VERSION

-- What Redis does for a table in one step. A table lives in three keys of one slot, which are given in this order:
--   {table:…}           a hash: version, head, summary, the request that made it, and the newest snapshot with its seal
--   {table:…}:log       a stream: entry n has the id n-0 and the hash of the chain up to it
--   {table:…}:replies   a hash: what was answered to each request
-- VERSION is a hash of this file: other code has other names, so that old and new nodes can work side by side.

local FIELDS = {'version', 'head', 'snapshot_version', 'snapshot_head', 'snapshot_seal', 'snapshot'}

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

-- The same, unless they were given nearly as much time a moment ago; the newest key has none yet.
local function keep_together(keys, newest, keep)
  local left = redis.call('PTTL', newest)
  if left < 0.995 * keep or left > keep then
    expire_together(keys, keep)
  end
end

-- Begin a table, once; tells which request made it, and what it has become.
local function create(keys, given)
  local request, head, seal, snapshot, summary, keep = unpack(given)
  if redis.call('EXISTS', keys[1]) == 0 then
    redis.call('HSET', keys[1], 'request', request, 'version', 0, 'head', head, 'summary', summary,
      'snapshot_version', 0, 'snapshot_head', head, 'snapshot_seal', seal, 'snapshot', snapshot)
    expire_together(keys, keep)
  end
  return redis.call('HMGET', keys[1], 'request', 'version', 'summary')
end

-- Append an entry, if the request is new and the log ends where the caller thinks it does.
-- What is not given is an empty string, or left out at the end. Without a time to be kept, enough of it is left.
local function append(keys, given)
  local expected, head, version, next_head, entry, request, reply, keep, channel, hint, summary, seal, snapshot =
    unpack(given)
  local now = redis.call('HMGET', keys[1], 'version', 'head')
  if not now[1] then
    return 'gone'
  end
  local is_next = now[1] == expected and now[2] == head
  local is_new = request == '' or is_next and redis.call('HSETNX', keys[3], request, reply) == 1
  if not is_new then
    local known = redis.call('HGET', keys[3], request)
    if known then
      return {'duplicate', known}
    end
  end
  if not is_next then
    return {'stale', now[1], now[2]}
  end
  local added = redis.pcall('XADD', keys[2], version, 'entry', entry, 'head', next_head)
  if type(added) == 'table' then -- an error: somebody else has written to the log
    redis.call('HDEL', keys[3], request)
    return added
  end
  redis.call('HSET', keys[1], 'version', version, 'head', next_head)
  if summary and summary ~= '' then
    redis.call('HSET', keys[1], 'summary', summary)
  end
  if seal then
    redis.call('HSET', keys[1], 'snapshot_version', version, 'snapshot_head', next_head, 'snapshot_seal', seal,
      'snapshot', snapshot)
  end
  if keep ~= '' then
    keep_together(keys, request ~= '' and keys[3] or keys[2], tonumber(keep))
  end
  if channel ~= '' then
    redis.call('SPUBLISH', channel, hint)
  end
  return 'committed'
end

-- Somebody needs a table still: its time begins anew, and is never less than before. Who asks may be behind.
local function touch(keys, given)
  expire_together(keys, given[1], 'GT')
end

-- The newest snapshot and what follows it, as they are at one moment.
local function load(keys)
  if redis.call('EXISTS', keys[1]) == 0 then
    return false
  end
  local found = redis.call('HMGET', keys[1], unpack(FIELDS))
  return {found, redis.call('XRANGE', keys[2], '(' .. (found[3] or 0) .. '-0', '+')}
end

-- The same fields of many tables; nothing of what is no table.
local function peek(keys, fields)
  local found = {}
  for number, key in ipairs(keys) do
    local values = redis.pcall('HMGET', key, unpack(fields))
    found[number] = values['err'] and {} or values
  end
  return found
end

-- The index. Keys: which tables are open to all, which are due, the version each was entered with; then sets of tables
-- by user, first those of members, the others of who is no member any more. What is older than the index is ignored.
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

-- Tables that are gone leave the index.
local function strike(keys, ids)
  for _, id in ipairs(ids) do
    for number, key in ipairs(keys) do
      redis.call(number == 3 and 'HDEL' or 'ZREM', key, id)
    end
  end
  return #ids
end

-- A user or a token is not admitted any more. What has expired by itself is forgotten, in the end the whole key.
local function revoke(keys, given)
  local subject, till = unpack(given)
  redis.call('ZADD', keys[1], 'GT', till, subject)
  redis.call('ZREMRANGEBYSCORE', keys[1], '-inf', string.format('%.0f', now()))
  local last = redis.call('ZRANGE', keys[1], -1, -1, 'WITHSCORES')
  if last[2] then
    redis.call('PEXPIREAT', keys[1], string.format('%.0f', last[2]))
  end
end

-- The house is open at this moment; for how long was it closed altogether? A jump of the time counts as closed. Nobody
-- has noted it before if the last note is at least as old as the jump is long.
local function alive(keys, given)
  local moment, patience, jump = tonumber(given[1]), tonumber(given[2]), tonumber(given[3])
  local seen = tonumber(redis.call('HGET', keys[1], 'seen') or moment)
  local closed = tonumber(redis.call('HGET', keys[1], 'closed') or 0)
  if jump < 0 then -- the time went back: nobody pays, but whoever does not know of it is found out
    seen, closed = moment, closed + 1
  elseif moment - seen > patience then
    closed = closed + moment - seen
  elseif moment - seen >= jump then
    closed = closed + jump
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
redis.register_function{function_name = 'palatine_peek_VERSION', callback = peek, flags = {'no-writes'}}
redis.register_function('palatine_enter_VERSION', enter)
redis.register_function('palatine_strike_VERSION', strike)
redis.register_function('palatine_revoke_VERSION', revoke)
redis.register_function('palatine_alive_VERSION', alive)
