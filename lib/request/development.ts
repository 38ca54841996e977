import { notFound } from 'next/navigation'
import { env } from '@/lib/base/runtime/env'

/** Answers 404 in production. Pages for developers, and their titles, call this first. */
export function developmentOnly(): void {
  if (env().PLATFORM_MODE === 'production') notFound()
}
