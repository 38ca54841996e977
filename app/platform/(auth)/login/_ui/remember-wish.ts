/**
 * The name of the checkbox “remember on this device”, and the storage key that keeps it until the person has signed in.
 */
export const rememberWish = 'remember-account'
