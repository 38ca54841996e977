import type pg from 'pg'

// What the platform reads of pg although its documentation doesn't promise it. tests/unit/project/library-internals.test.ts
// fails when an upgrade changes it.

type Internals = {
  connection: { on(event: 'readyForQuery', listener: () => void): void; stream: { destroy(error: Error): void } }
  processID?: number | null
}

const internalsOf = (client: pg.Client) => client as unknown as Internals

/** Destroys the socket of a client at once; its unanswered queries fail with the error. */
export const destroySocket = (client: pg.Client, error: Error) => internalsOf(client).connection.stream.destroy(error)

/** Calls the listener whenever PostgreSQL has answered and waits for the next query. */
export const onReadyForQuery = (client: pg.Client, listener: () => void) =>
  internalsOf(client).connection.on('readyForQuery', listener)

/** Returns the id of the server's process, as the other end stated it when the connection began. */
export const serverProcessId = (client: pg.Client) => internalsOf(client).processID
