-- wrk script: sends GET requests for the paths in a file, in random order, about 40 a second on each connection.
local requests = {}

function init(args)
  local headers = { ["Authorization"] = os.getenv("BENCH_AUTHORIZATION") }
  for path in io.lines(os.getenv("BENCH_PATHS")) do requests[#requests + 1] = wrk.format("GET", path, headers) end
  math.randomseed(7)
end

function delay()
  return 25
end

function request()
  return requests[math.random(#requests)]
end
