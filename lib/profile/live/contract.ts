import { contract, Done } from '@/lib/kernel/http/contract'

export const live = contract({
  name: 'live',
  method: 'GET',
  path: '/live',
  summary:
    'Events for open pages, as server-sent events if `Accept` asks for text/event-stream. Else 200 while the session lives, for pages that poll',
  tag: 'notifications',
  access: 'user',
  response: Done,
  errors: { unavailable: 503 },
})
