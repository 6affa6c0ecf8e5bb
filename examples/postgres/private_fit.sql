-- The whole way of a private fit in PostgreSQL: psql -f private_fit.sql as a superuser, in a
-- database without these roles and tables. Stays in hospital: many public ones, fewer private ones
-- of another law.
CREATE EXTENSION dpadapt;
CREATE ROLE custodian;
CREATE ROLE analyst;
GRANT USAGE ON SCHEMA dpadapt TO custodian, analyst;
GRANT EXECUTE ON FUNCTION dpadapt.protect, dpadapt.allow, dpadapt.disallow, dpadapt.pass,
    dpadapt.pass_rows TO custodian;
GRANT EXECUTE ON FUNCTION dpadapt.fit, dpadapt.plan, dpadapt.evaluate, dpadapt.calibrate TO analyst;

CREATE TABLE public_stays AS
    SELECT 20 + i % 60 AS age, ward, 2 + (i % 60) / 20.0 + (ward = 'surgery')::int
           + (i % 11) / 11.0 AS days
    FROM generate_series(1, 20000) AS i,
         LATERAL (SELECT (ARRAY['medicine', 'surgery', 'children'])[1 + i % 7 % 3]) AS w (ward);
GRANT SELECT ON public_stays TO analyst;

CREATE TABLE patients (age int, ward varchar(20), days numeric);
ALTER TABLE patients OWNER TO custodian;
INSERT INTO patients
    SELECT 20 + i % 60, ward, 3 + (i % 60) / 20.0 + 2 * (ward = 'surgery')::int + (i % 13) / 13.0
    FROM generate_series(1, 5000) AS i,
         LATERAL (SELECT (ARRAY['medicine', 'surgery', 'birth'])[1 + i % 5 % 3]) AS w (ward);
INSERT INTO patients VALUES (NULL, 'surgery', 4), (30, NULL, 4); -- count as records

SET ROLE custodian;
SELECT dpadapt.protect('patients', epsilon => 4, delta => 1e-6, ledger => 'hospital');
SELECT dpadapt.allow('patients', 'analyst', epsilon => 2, delta => 5e-7);

SET ROLE analyst;
SELECT jsonb_pretty(
    dpadapt.fit('stay', source => 'public_stays', target => 'patients', label => 'days',
                features => '{age, ward}', options => 'epsilon=1 delta=1e-6') - 'privacy');
SELECT age, ward, round(dpadapt.predict('stay', admitted)::numeric, 1) AS days
    FROM (VALUES (30, 'medicine'), (30, 'surgery'), (75, 'surgery')) AS admitted (age, ward);
SELECT dpadapt.budget('patients') -> 'left' AS left;
RESET ROLE;
