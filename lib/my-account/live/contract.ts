import { z } from 'zod'
import { contract } from '@/lib/base/contracts/contract'

export const live = contract({
  name: 'live',
  method: 'GET',
  path: '/live',
  summary:
    'Events for open pages, as server-sent events if `Accept` asks for text/event-stream. Else 200 while the session lives, with a mark that changes when the frame of the pages does',
  tag: 'notifications',
  access: 'user',
  beforeTerms: true,
  response: z.object({ mark: z.string() }),
  errors: { unavailable: 503 },
})
