const name = 'E2E_STACKS'

/** Hands the environments of what was started to the processes that run the tests. */
export const offerStacks = (environments: Record<string, string>[]) => {
  process.env[name] = JSON.stringify(environments)
}

/**
 * In a process that runs tests: takes the environment that is its own, by which tests find the server and may read
 * its database. Tests that run at once thus never meet each other's settings, limits and people.
 */
export function takeStack() {
  const [offered, index] = [process.env[name], process.env.TEST_PARALLEL_INDEX]
  if (offered && index) Object.assign(process.env, JSON.parse(offered)[Number(index)])
}
