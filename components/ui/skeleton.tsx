import { cn } from './cn'

/** The placeholder of something that is loading. The component around it says so once in words. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={cn('h-3.5 max-w-full animate-wait rounded-pill bg-line', className)} />
}
