import { notFound } from 'next/navigation'
import { env } from '@/lib/kernel/env'

/** What a page for those who build or try the platform begins with, its title too: production has no such page. */
export function developmentOnly(): void {
  if (env().PLATFORM_MODE === 'production') notFound()
}
