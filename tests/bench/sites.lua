-- wrk script: people from many networks open link sites and begin visits, each connection ten times a second. The service refuses
-- what exceeds the limits of the tenant.
local paths = {}

function init(args)
  for path in io.lines(os.getenv("BENCH_PATHS")) do paths[#paths + 1] = path end
  math.randomseed(7)
end

function delay()
  return math.random(50, 150)
end

function request()
  local headers = {
    -- The service's hosted pages have another host than its API.
    ["Host"] = "127.0.0.1:" .. wrk.port,
    ["X-Forwarded-For"] = string.format("198.18.%d.%d", math.random(0, 255), math.random(1, 254)),
    ["Sec-Fetch-Site"] = "same-origin",
    ["Content-Type"] = "application/x-www-form-urlencoded",
  }
  return wrk.format(math.random(2) == 1 and "GET" or "POST", paths[math.random(#paths)], headers)
end
