import { counterFrame } from '@/lib/site/counter/service'

/** Returns the frame of the analytics counter. */
export function GET(request: Request) {
  const { searchParams } = new URL(request.url)
  return counterFrame(searchParams.get('page') ?? '', searchParams.get('referrer') ?? '')
}
