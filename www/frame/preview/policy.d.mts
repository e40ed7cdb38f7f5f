export const POLICY: string;
