import { createServer } from 'node:net'
import { join } from 'node:path'
import { watchExecuted } from './executed.ts'

/**
 * Loaded by a server or worker before its own code (`node --import`). Whoever connects to its socket in `TEST_MAP_SOCKETS`
 * learns which source files it has run since the last one asked.
 */
const folder = process.env.TEST_MAP_SOCKETS
if (folder) {
  const executed = await watchExecuted()
  createServer((socket) => {
    socket.on('error', () => {})
    void executed().then((files) => socket.end(JSON.stringify(files)))
  })
    .listen(join(folder, `${process.pid}.sock`))
    .unref()
}
