import { createServer } from 'node:net'

const isFree = (port: number, host: string) =>
  new Promise<boolean>((resolve) => {
    const server = createServer()
    // on a machine without IPv6 the IPv6 address can't be in use
    server.once('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code !== 'EADDRINUSE' && error.code !== 'EACCES'),
    )
    server.listen(port, host, () => server.close(() => resolve(true)))
  })

/** Returns whether this port of `localhost` is free on both IPv4 and IPv6, because a browser may try either first. */
export async function isPortFree(port: number): Promise<boolean> {
  for (const host of ['127.0.0.1', '0.0.0.0', '::1']) if (!(await isFree(port, host))) return false
  return true
}

/** Returns the wanted port, or the first free one after it. */
export async function nextFreePort(wanted: number): Promise<number> {
  for (let port = wanted; port < wanted + 100; port++) if (await isPortFree(port)) return port
  throw new Error(`no port is free from ${wanted} to ${wanted + 99}`)
}
