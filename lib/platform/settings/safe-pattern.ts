export { isSafePattern } from '@/lib/kernel/safe-pattern'
