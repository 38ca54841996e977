import { contract, Done } from '@/lib/kernel/http/contract'

export const live = contract({
  name: 'live',
  method: 'GET',
  path: '/live',
  summary:
    'What open pages must know at once, as server-sent events when `Accept` asks for text/event-stream. Else 200 while the session lives, for pages that ask from time to time',
  tag: 'notifications',
  access: 'user',
  response: Done,
  errors: { unavailable: 503 },
})
