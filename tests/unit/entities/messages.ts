const written = ['kind', 'template', 'recipient', 'userId', 'locale', 'content', 'counter', 'expiresAt']
const state = ['attempts', 'error', 'finishedAt']

export default {
  unrecorded: Object.fromEntries([
    ...written.map((name) => [name, 'written once, by the platform']),
    ...state.map((name) => [name, 'how the sending goes']),
  ]),
}
