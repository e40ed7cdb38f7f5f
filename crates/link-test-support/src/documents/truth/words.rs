//! The names and words of fictional people and companies.

use super::content::Country;

pub fn given_names(country: Country) -> &'static [&'static str] {
    match country {
        Country::Mx => &[
            "María Fernanda",
            "José Luis",
            "Ana Sofía",
            "Carlos",
            "Guadalupe",
            "Miguel Ángel",
            "Valeria",
            "Raúl",
            "Jimena",
            "Óscar",
            "Lucía",
            "Héctor",
            "Paola",
            "Iván",
            "Renata",
            "Emilio",
        ],
        Country::Ph => &[
            "Maria Clara",
            "Jose Mari",
            "Angelica",
            "Mark Anthony",
            "Kristine Joy",
            "Juan Miguel",
            "Liezel",
            "Rodel",
            "Jasmine",
            "Paolo",
            "Marites",
            "Arnel",
            "Bea",
            "Dennis",
            "Rowena",
            "Gabriel",
        ],
    }
}

pub fn family(country: Country) -> &'static [&'static str] {
    match country {
        Country::Mx => &[
            "Muestra",
            "Ejemplar",
            "Nopal",
            "Aguilera",
            "Peñasco",
            "Tepozán",
            "Villaseca",
            "Quiroga",
            "Zepeda",
            "Montenegro",
            "Ibáñez",
            "Lozano",
            "Cárdenas",
            "Orozco",
        ],
        Country::Ph => &[
            "Halimbawa",
            "Dimagiba",
            "Magsino",
            "Batungbakal",
            "Dimaculangan",
            "Catacutan",
            "Panganiban",
            "Manalastas",
            "Bayani",
            "Lacsamana",
            "Dalisay",
            "Macaraeg",
            "Salonga",
            "Tolentino",
        ],
    }
}

pub fn employers(country: Country) -> &'static [&'static str] {
    match country {
        Country::Mx => &[
            "Talleres Aurora Boreal S.A. de C.V.",
            "Servicios Nopal Dorado S.A. de C.V.",
            "Logística Cumbre Alta S. de R.L. de C.V.",
            "Alimentos Bahía Azul S.A. de C.V.",
            "Textiles Río Quieto S.A. de C.V.",
            "Consultores Luna Nueva S.C.",
        ],
        Country::Ph => &[
            "Aurora Borealis Manufacturing Corporation",
            "Blue Bay Foods Inc.",
            "Cumbre Logistics Corporation",
            "Golden Narra Trading Inc.",
            "Quiet River Textiles Inc.",
            "New Moon Consulting Inc.",
        ],
    }
}

pub fn jobs(country: Country) -> &'static [(&'static str, &'static str)] {
    match country {
        Country::Mx => &[
            ("Supervisor de turno", "Producción"),
            ("Auxiliar contable", "Finanzas"),
            ("Operador de almacén", "Logística"),
            ("Analista de datos", "Sistemas"),
            ("Ejecutiva de ventas", "Comercial"),
            ("Técnico de mantenimiento", "Planta"),
        ],
        Country::Ph => &[
            ("Shift Supervisor", "Production"),
            ("Accounting Assistant", "Finance"),
            ("Warehouse Operator", "Logistics"),
            ("Data Analyst", "Information Systems"),
            ("Sales Executive", "Commercial"),
            ("Maintenance Technician", "Plant"),
        ],
    }
}

pub fn banks(country: Country) -> &'static [&'static str] {
    match country {
        Country::Mx => &["Banco Ejemplar S.A.", "Banco del Nopal S.A.", "Banca Cumbre S.A."],
        Country::Ph => &["Narra Savings Bank", "Bank of Halimbawa", "Cumbre Rural Bank"],
    }
}

pub fn addresses(country: Country) -> &'static [&'static str] {
    match country {
        Country::Mx => &[
            "Calle Sin Nombre 100, Col. Centro, 00100 Ciudad Ejemplo",
            "Av. de la Muestra 2045, Col. Jardines, 00450 Villa Ejemplo",
            "Privada Nogal 17, Col. Las Lomas, 00230 Puerto Ejemplo",
        ],
        Country::Ph => &[
            "100 Halimbawa Street, Barangay Uno, Bayan ng Ehemplo",
            "45 Narra Road, Barangay Dos, Lungsod ng Ehemplo",
            "7 Sampaguita Lane, Barangay Tres, Bayan ng Ehemplo",
        ],
    }
}

pub fn movements(country: Country) -> &'static [(&'static str, bool)] {
    match country {
        Country::Mx => &[
            ("DEPOSITO DE NOMINA", true),
            ("RETIRO EN CAJERO", false),
            ("COMPRA SUPER EJEMPLO", false),
            ("PAGO DE SERVICIOS", false),
            ("TRANSFERENCIA RECIBIDA", true),
            ("COMPRA FARMACIA LUNA", false),
        ],
        Country::Ph => &[
            ("PAYROLL CREDIT", true),
            ("ATM WITHDRAWAL", false),
            ("PURCHASE SARI MART", false),
            ("BILLS PAYMENT", false),
            ("TRANSFER RECEIVED", true),
            ("PURCHASE BOTIKA LUNA", false),
        ],
    }
}
