import { z } from 'zod'
import { line } from '../contracts/contract'

/**
 * Answers to agreements, as every form sends them: `type` is the id of the document
 * (docs/rules/agreements.md#agreements).
 */
export const TermsAgree = z
  .array(z.strictObject({ type: line(64), agree: z.boolean(), version: z.number().int().min(1) }))
  .max(50)
