import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { createElement, Fragment } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { richOf } from '@/components/ui/rich-text'
import { markupLimits } from '@/lib/base/markup/markup-limits'

/* The thread that draws texts for `lib/base/markup/markup.ts`: it answers each with its HTML, or null if it is too much. */

try {
  // below the threads that answer requests; that works on Linux only
  setPriority(Number(readlinkSync('/proc/thread-self').split('/').pop()), 10)
} catch {}

parentPort?.on('message', ({ text, format }: { text: string; format: 'md' | 'html' }) => {
  let html: string | null = null
  try {
    html = renderToStaticMarkup(createElement(Fragment, null, richOf(text, format)))
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  parentPort?.postMessage(html !== null && html.length <= markupLimits.length ? html : null)
})
