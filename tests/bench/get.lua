-- wrk script: sends GET requests for the paths in a file, one per line, in random order.
local requests, count = {}, 0

function init(args)
  local headers = { ["Authorization"] = os.getenv("BENCH_AUTHORIZATION") }
  for path in io.lines(os.getenv("BENCH_PATHS")) do
    count = count + 1
    requests[count] = wrk.format("GET", path, headers)
  end
  math.randomseed(7)
end

function request()
  return requests[math.random(count)]
end
